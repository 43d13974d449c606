"""The situated track of recfw: recommendation inside a 3D store, over UnrealCV's protocol."""
