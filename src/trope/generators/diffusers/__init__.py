"""`diffusers`: any pipeline folder or hub id, layer by layer where its family is known. See `docs/diffusers.md`."""
