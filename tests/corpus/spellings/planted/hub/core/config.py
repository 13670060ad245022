from hub.core.loader import load
config = load()
