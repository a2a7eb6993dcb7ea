"""What is printed as PDF: label sheets, the evening on one page. Not imported before something is printed."""
