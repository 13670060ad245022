"""The polling kit while processes, connections and servers die."""
