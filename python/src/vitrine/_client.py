"""Sends requests to the API of a server."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlencode

from ._errors import VitrineError
from ._settings import Access

# Seconds between attempts, unless the server asks for a longer pause.
PAUSES = (0.3, 0.6, 1.2, 2.4)
LONGEST_PAUSE = 60.0
TIMEOUT = 120.0
# The server did nothing.
NOTHING_DONE = (429, 503)
# Whether the server did anything is open.
OUTCOME_UNKNOWN = (502, 504)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which would take the access token to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Client:
    """Calls the API. Failures are ``VitrineError``\\ s that say what to do."""

    def __init__(self, access: Access) -> None:
        self.url = access.url
        self._token = access.token
        self._opener = urllib.request.build_opener(_NoRedirects)

    def get(self, path: str, query: Mapping[str, str]) -> Any:
        """Returns the answer of a route that changes nothing."""
        return self._json(self.get_bytes(path, query))

    def get_bytes(self, path: str, query: Mapping[str, str]) -> bytes:
        """Returns the answer of a route that changes nothing as it was sent."""
        return self._send("GET", f"{path}?{urlencode(query)}", None, {}, is_repeatable=True)

    def post(self, path: str, body: Mapping[str, Any], is_repeatable: bool = False) -> Any:
        """Returns the answer of a route that takes JSON."""
        data = json.dumps(body).encode()
        return self._json(
            self._send("POST", path, data, {"Content-Type": "application/json"}, is_repeatable=is_repeatable)
        )

    def post_form(self, path: str, fields: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        """Returns the answer of a route that takes a form. A repeated request is recognized and takes effect once."""
        data, content_type = encode_form(fields, files)
        headers = {"Content-Type": content_type, "Idempotency-Key": str(uuid.uuid4())}
        return self._json(self._send("POST", path, data, headers, is_repeatable=True))

    def _json(self, answer: bytes) -> Any:
        try:
            return json.loads(answer)
        except ValueError:
            raise self._not_vitrine() from None

    def _not_vitrine(self) -> VitrineError:
        return VitrineError(f"{self.url} doesn't look like a Vitrine server. Check VITRINE_URL.")

    def _send(
        self, method: str, path: str, data: Optional[bytes], headers: Dict[str, str], *, is_repeatable: bool
    ) -> bytes:
        pauses: List[Optional[float]] = [*PAUSES, None]
        for pause in pauses:
            answer, error, wait = self._attempt(method, path, data, headers)
            if error is None:
                return answer
            # Varied, so that clients that failed together don't retry together.
            wait = max(wait, (pause or 0) * (0.75 + random.random() / 2))
            is_temporary = error.status in NOTHING_DONE or (
                is_repeatable and (error.status is None or error.status in OUTCOME_UNKNOWN)
            )
            if pause is None or not is_temporary or wait > LONGEST_PAUSE:
                raise error
            time.sleep(wait)
        raise AssertionError("unreachable")

    def _attempt(
        self, method: str, path: str, data: Optional[bytes], headers: Dict[str, str]
    ) -> Tuple[bytes, Optional[VitrineError], float]:
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("Authorization", f"Bearer {self._token}")
        request.add_header("User-Agent", "vitrine-python")
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                return response.read(), None, 0.0
        except urllib.error.HTTPError as error:
            return b"", self._explain(error), _seconds(error.headers.get("Retry-After"))
        except (OSError, http.client.HTTPException):
            message = f"Can't reach the server at {self.url}. Check that it is running and that VITRINE_URL is correct."
            return b"", VitrineError(message), 0.0

    def _explain(self, error: urllib.error.HTTPError) -> VitrineError:
        try:
            message = json.loads(error.read())["error"]
        except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
            if error.code in NOTHING_DONE + OUTCOME_UNKNOWN:
                return VitrineError(f"The server at {self.url} isn't ready ({error.code}). Try again later.", error.code)
            refused = self._not_vitrine()
            refused.status = error.code
            return refused
        if error.code == 401:
            message = f"{message} Run vitrine login, or set VITRINE_TOKEN to a valid token."
        return VitrineError(str(message), error.code)


def _seconds(value: Optional[str]) -> float:
    try:
        return float(value or 0)
    except ValueError:
        return 0.0


def encode_form(fields: Mapping[str, str], files: Mapping[str, bytes]) -> Tuple[bytes, str]:
    """Returns a multipart form and its media type."""
    boundary = uuid.uuid4().hex
    parts: List[bytes] = []
    disposition = "Content-Disposition: form-data; name="
    for name, value in fields.items():
        parts.append(f'--{boundary}\r\n{disposition}"{name}"\r\n\r\n'.encode() + value.encode() + b"\r\n")
    for name, content in files.items():
        head = f'{disposition}"files"; filename="{name}"\r\nContent-Type: application/octet-stream'
        parts.append(f"--{boundary}\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"
