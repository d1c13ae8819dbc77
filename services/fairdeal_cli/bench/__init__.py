"""`fairdeal bench`: how fast this machine plays, each layer alone and all together."""
