"""The wire: one small client for OpenAI-compatible servers, and the grammar their replies are read by."""

from trope.wire.chat import chat
from trope.wire.endpoint import Endpoint, Reply
from trope.wire.grammar import read_json, read_letters, read_object, read_ratings
from trope.wire.images import generate_image
from trope.wire.providers import PROVIDERS, Provider, provider

__all__ = [
    "PROVIDERS",
    "Endpoint",
    "Provider",
    "Reply",
    "chat",
    "generate_image",
    "provider",
    "read_json",
    "read_letters",
    "read_object",
    "read_ratings",
]
