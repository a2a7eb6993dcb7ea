"""The pages in a real Chromium, touched as people touch them."""
