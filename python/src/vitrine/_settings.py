"""Finds the server and the access token as the command line does."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional, Tuple
from urllib.parse import urlsplit

from ._errors import VitrineError

DEFAULT_URL = "http://localhost:4000"


@dataclass(frozen=True)
class Access:
    url: str
    token: str


def find_access(
    url: Optional[str] = None,
    token: Optional[str] = None,
    environment: Mapping[str, str] = os.environ,
) -> Access:
    """Returns the server and token from the arguments, the environment or ``vitrine login``."""
    given_url = url or _read(environment, "VITRINE_URL")
    given_token = token or _read(environment, "VITRINE_TOKEN")
    file = credentials_file(environment)
    stored: Optional[Tuple[str, str]] = None
    if given_url is None or given_token is None:
        try:
            stored = _read_credentials(file, _read(environment, "VITRINE_PROFILE"))
        except VitrineError:
            # An unreadable file doesn't matter if the token comes from elsewhere.
            if given_token is None:
                raise
    address = _origin(given_url or (stored[0] if stored else DEFAULT_URL), "url" if url else "VITRINE_URL")
    if given_token is None and stored is not None and _origin(stored[0], str(file)) == address:
        # A stored token is never sent to another server.
        given_token = stored[1]
    if given_token is None:
        raise VitrineError("You're not signed in. Run vitrine login or set VITRINE_TOKEN.")
    if not re.fullmatch(r"[!-~]+", given_token):
        raise VitrineError("The access token isn't valid. A token is a single word that starts with vtr_.")
    return Access(address, given_token)


def credentials_file(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Returns the file in which ``vitrine login`` stores the access token."""
    home = Path(_read(environment, "HOME") or Path.home())
    if platform == "darwin":
        directory = home / "Library" / "Application Support"
    elif platform == "win32":
        directory = Path(_read(environment, "APPDATA") or home / "AppData" / "Roaming")
    else:
        configured = _read(environment, "XDG_CONFIG_HOME")
        # The XDG specification says to ignore relative paths.
        is_usable = configured is not None and os.path.isabs(configured)
        directory = Path(configured) if configured is not None and is_usable else home / ".config"
    return directory / "vitrine" / "credentials.json"


def _read(environment: Mapping[str, str], name: str) -> Optional[str]:
    return environment.get(name, "").strip() or None


def _read_credentials(file: Path, profile: Optional[str]) -> Optional[Tuple[str, str]]:
    """Returns the server and token of a profile, by default of the one at the top of the file."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise VitrineError(f'Can\'t read "{file}": {error.strerror}.') from None
    try:
        stored = json.loads(text)
        if profile not in (None, "default"):
            stored = stored.get("profiles", {}).get(profile)
            if stored is None:
                raise VitrineError(f'There is no profile "{profile}". Run vitrine login --profile {profile} to create it.')
        elif "url" not in stored and "profiles" in stored:
            return None
        url, token = stored["url"], stored["token"]
    except (ValueError, KeyError, TypeError, AttributeError):
        url = token = None
    if not isinstance(url, str) or not isinstance(token, str):
        raise VitrineError(f'"{file}" is damaged. Run vitrine login to create it again.')
    return url, token


def _origin(value: str, source: str) -> str:
    try:
        parts = urlsplit(value)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise VitrineError(
            f'"{value}" isn\'t a valid server address ({source}). Use one such as http://localhost:4000.'
        )
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
