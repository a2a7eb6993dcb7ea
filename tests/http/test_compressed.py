"""Text is compressed for clients that accept it, and says the same."""

from __future__ import annotations

import gzip

import pytest
from flask import Flask, Response, request

from companion.http.compressed import compressed

TEXT = "Ada's pig is in the lead. " * 100
GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture
def app() -> Flask:
    made = Flask(__name__)
    made.after_request(compressed)

    @made.get("/text")
    def text() -> Response:
        response = Response(TEXT, mimetype="text/html")
        response.set_etag("lead")
        response.make_conditional(request)
        return response

    made.add_url_rule("/little", view_func=lambda: Response("{}", mimetype="application/json"))
    made.add_url_rule("/photo", "photo", lambda: Response(TEXT, mimetype="image/jpeg"))
    made.add_url_rule("/stream", "stream", lambda: Response(iter([TEXT]), mimetype="text/plain"))
    made.add_url_rule("/wrong", "wrong", lambda: Response(TEXT, 404, mimetype="text/html"))
    return made


def test_text_is_compressed_for_a_client_that_accepts_gzip(app: Flask) -> None:
    """It is the same text in fewer bytes, and its entity tag says that the bytes are others."""
    answer = app.test_client().get("/text", headers=GZIP)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data).decode() == TEXT
    assert int(answer.headers["Content-Length"]) == len(answer.data) < len(TEXT) / 10
    assert answer.headers["ETag"] == 'W/"lead"'
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_a_text_that_the_client_has_is_not_sent_again(app: Flask) -> None:
    """The tag of the compressed text is that of the text."""
    tag = app.test_client().get("/text", headers=GZIP).headers["ETag"]
    answer = app.test_client().get("/text", headers={**GZIP, "If-None-Match": tag})
    assert (answer.status_code, answer.data, answer.headers["Vary"]) == (304, b"", "Accept-Encoding")


@pytest.mark.parametrize("accepts", ["", "br", "identity", "gzip;q=0"])
def test_a_client_that_accepts_no_gzip_gets_the_text_itself(app: Flask, accepts: str) -> None:
    """A proxy learns that another client may get another answer."""
    answer = app.test_client().get("/text", headers={"Accept-Encoding": accepts})
    assert "Content-Encoding" not in answer.headers
    assert answer.text == TEXT
    assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/little", "/photo", "/stream", "/wrong"])
def test_what_is_little_or_no_text_is_sent_as_it_was_made(app: Flask, path: str) -> None:
    """A photo is compressed already, a stream would wait for its end, and a failure is short."""
    answer = app.test_client().get(path, headers=GZIP)
    assert "Content-Encoding" not in answer.headers
    assert answer.text in (TEXT, "{}")
