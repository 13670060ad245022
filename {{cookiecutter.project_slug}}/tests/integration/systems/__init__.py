"""One module per external system: its adapter, held to the contract of a provider."""
