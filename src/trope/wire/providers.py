"""Providers as a table: where they are, which variable holds the key, what they want otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from trope.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Provider:
    """One OpenAI-compatible service.

    Attributes
    ----------
    key : the environment variable that holds the API key; None for servers that need none.
    max_tokens : the field that bounds a reply.
    schemas : whether it holds a reply to a JSON schema that is sent along.
    seeds : whether it takes the seed of a sample. top_k : whether it takes a limit on candidate tokens.
    """

    name: str
    base_url: str
    key: str | None = None
    max_tokens: str = "max_tokens"
    schemas: bool = True
    seeds: bool = True
    top_k: bool = False


PROVIDERS: dict[str, Provider] = {
    p.name: p
    for p in (
        Provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "max_completion_tokens"),
        Provider("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", schemas=False, seeds=False),
        Provider("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", seeds=False),
        Provider("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
        Provider("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", schemas=False, seeds=False),
        Provider(
            "dashscope", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", schemas=False
        ),
        Provider("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", top_k=True),
        Provider("vllm", "http://127.0.0.1:8000/v1", top_k=True),
        Provider("sglang", "http://127.0.0.1:30000/v1", top_k=True),
        Provider("ollama", "http://127.0.0.1:11434/v1"),
        Provider("llama.cpp", "http://127.0.0.1:8080/v1", top_k=True),
        Provider("transformers", "http://127.0.0.1:8000/v1", schemas=False, seeds=False),
    )
}


def provider(name: str) -> Provider:
    """The provider of that name; raises `UnknownName`."""
    if name not in PROVIDERS:
        raise UnknownName("provider", name, PROVIDERS)
    return PROVIDERS[name]
