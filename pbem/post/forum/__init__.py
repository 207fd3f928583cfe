"""Forums as a way of the post: a post is a letter with another envelope. Nothing here knows of games."""
