"""Those who only watch: their favourites, play money against the odds, cheers. No game knows of them."""
