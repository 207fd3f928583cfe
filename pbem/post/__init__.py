"""The post: letters in by IMAP, Maildir and files, letters out by SMTP, and a mail server for loopback."""
