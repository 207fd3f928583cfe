"""What is to be said to whom, put into words and pictures."""
