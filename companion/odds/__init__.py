"""Win chances, from the public view only: the computation never sees hidden values."""
