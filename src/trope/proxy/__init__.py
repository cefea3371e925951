"""The guard that people use: a proxy in front of an image server, and the same guard by hand, as a skill and a tool."""
