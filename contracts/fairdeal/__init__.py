"""fairdeal: the language of the service, and the client."""
