"""The port: framing, order, batches, junk, second clients, reconnects."""

import contextlib
import io
import socket
import struct
import threading
import time
import warnings
from typing import Any

import numpy as np
import pytest
import real_client
from PIL import Image

from recfw_situated.simulator import server as server_module
from recfw_situated.simulator.framing import LIMIT, MAGIC, frame, receive
from recfw_situated.simulator.server import Server


def raw(server: Server) -> socket.socket:
    """A bare connection whose greeting is read."""
    stream = socket.create_connection((server.host, server.port), timeout=10)
    assert receive(stream) == b"connected to recfw_small"
    return stream


def ended(stream: socket.socket) -> bool:
    """Tell whether the peer hangs up, waiting at most ten seconds."""
    try:
        return stream.recv(64) == b""
    except ConnectionResetError:
        return True


def test_the_real_client_connects_and_learns_the_commands(server: Server) -> None:
    """The public client's handshake succeeds and its capability check finds a template for what it sends."""
    with real_client.connected(server.port) as client:
        assert client._command_capabilities_available
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert client.request("vget /camera/0/location") == "100.0000 200.0000 160.0000"


def test_no_shared_memory_template_is_advertised(server: Server) -> None:
    """A template that ends in _shared would make the client ask for shared memory."""
    with real_client.connected(server.port) as client:
        templates = client.request("vget /unrealcv/commands").splitlines()
    assert [one for one in templates if "_shared" in one] == []
    assert {"vget /unrealcv/commands", "vget /camera/[uint]/lit [str]"} <= set(templates)


def test_pictures_decode_to_the_size_asked_for(server: Server) -> None:
    """PNG is RGBA, depth a float32 array, both of the camera's size."""
    with real_client.connected(server.port) as client:
        assert client.request("vset /camera/0/size 200 120") == "ok"
        lit = Image.open(io.BytesIO(client.request("vget /camera/0/lit png")))
        depth = np.load(io.BytesIO(client.request("vget /camera/0/depth npy")))
    assert ((200, 120), "RGBA", (120, 200), np.float32) == (lit.size, lit.mode, depth.shape, depth.dtype)


def test_a_batch_too_large_for_the_sockets_is_answered_in_order(server: Server) -> None:
    """Reading goes on while nobody reads the answers: 60 depth maps are 70 MB, far more than sockets hold."""
    commands = []
    for index in range(60):
        commands += [f"vset /camera/0/rotation 0 {index} 0", "vget /camera/0/rotation", "vget /camera/0/depth npy"]
    with real_client.connected(server.port) as client:
        answers = client.request(commands)
    assert [f"0.0000 {index}.0000 0.0000" for index in range(60)] == answers[1::3]
    assert ["ok"] * 60 == answers[0::3]


def test_ten_thousand_messages_get_ten_thousand_answers(server: Server) -> None:
    """Asynchronous, unknown and good commands all count, in order."""
    stream = raw(server)
    stream.sendall(b"".join(frame(b"%d:vget /camera/0/fov" % number) for number in range(10_000)))
    stream.settimeout(60)
    assert [b"%d:90.0000" % number for number in range(10_000)] == [receive(stream) for _ in range(10_000)]


@pytest.mark.filterwarnings("ignore:The connected UnrealCV server may not support")
def test_asynchronous_and_unknown_messages_keep_the_count(server: Server) -> None:
    """The client counts an answer for each message, also those that it does not wait for."""
    with real_client.connected(server.port) as client:
        client.request("vbp User TurnBy 10", -1)
        client.request("DisableAllScreenMessages", -1)
        unknown = client.request("vget /moon")
        assert ("error No handler found for URI 'vget /moon'", "0.0000 10.0000 0.0000") == (
            unknown,
            client.request("vget /camera/0/rotation"),
        )


def test_a_second_client_is_closed_at_once_and_the_first_goes_on(server: Server) -> None:
    """A second one's connect must not block for ever, nor disturb the first."""
    first = raw(server)
    second = socket.create_connection((server.host, server.port), timeout=10)
    began = time.monotonic()
    assert ended(second)
    assert time.monotonic() - began < 2.0
    first.sendall(frame(b"0:vget /camera/0/fov"))
    assert receive(first) == b"0:90.0000"


def test_a_client_may_leave_and_another_come_fifty_times(server: Server) -> None:
    """The world stays as the last one left it."""
    for index in range(50):
        stream = raw(server)
        stream.sendall(frame(b"7:vbp User TurnBy 1"))
        assert f'"Yaw": "{index + 1}.0000"'.encode() in (receive(stream) or b"")
        stream.close()


def test_a_client_that_leaves_within_an_answer_does_not_end_the_server(server: Server) -> None:
    """Answers that nobody reads any more are dropped."""
    stream = raw(server)
    stream.sendall(b"".join(frame(b"%d:vget /camera/0/depth npy" % number) for number in range(40)))
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()
    with real_client.connected(server.port) as client:
        assert client.request("vget /camera/0/fov") == "90.0000"


@pytest.mark.parametrize(
    "junk",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", id="another protocol"),
        pytest.param(struct.pack("<II", MAGIC, 0), id="size 0"),
        pytest.param(struct.pack("<II", MAGIC, LIMIT + 1), id="too large"),
        pytest.param(struct.pack("<II", MAGIC ^ 1, 4) + b"0:vg", id="another magic"),
    ],
)
def test_junk_closes_the_connection_and_the_next_client_is_served(server: Server, junk: bytes) -> None:
    """A stream that is no longer in step cannot be trusted."""
    stream = raw(server)
    stream.sendall(junk)
    assert ended(stream)
    stream.close()
    with real_client.connected(server.port) as client:
        assert client.request("vget /camera/0/fov") == "90.0000"


def test_half_a_frame_waits_and_then_leaves(server: Server) -> None:
    """A client that goes in the middle of a frame leaves room for the next."""
    stream = raw(server)
    stream.sendall(frame(b"0:vget /camera/0/fov")[:11])
    stream.close()
    with real_client.connected(server.port) as client:
        assert client.request("vget /camera/0/fov") == "90.0000"


def test_a_message_without_a_number_gets_one_answer(server: Server) -> None:
    """It has none to answer with, so the answer has none either; the next message is answered as ever."""
    stream = raw(server)
    stream.sendall(frame(b"hello") + frame(b"4:vget /camera/0/fov") + frame(b"5:\xff\xfe"))
    answers = [receive(stream) for _ in range(3)]
    assert answers[0] == b"error A message begins with its number and a colon"
    assert answers[1] == b"4:90.0000"
    assert (answers[2] or b"").startswith(b"5:error No handler found for URI")


def test_a_failing_command_is_answered_too(server: Server, world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect in one command must not leave its client waiting, nor end the world's thread."""
    monkeypatch.setattr(type(world), "shot", lambda self, number: 1 / 0)
    with real_client.connected(server.port) as client:
        assert client.request("vget /camera/0/lit png") == "error Internal ZeroDivisionError"
        assert client.request("vget /camera/0/fov") == "90.0000"


def test_a_taken_port_is_refused(server: Server, world: Any) -> None:
    """Two servers never share a port."""
    with pytest.raises(OSError, match="in use"):
        Server(world, None, port=server.port)  # type: ignore[arg-type]  # never asked


@pytest.mark.filterwarnings("ignore:The connected UnrealCV server may not support")
def test_the_public_api_class_finds_cameras_objects_and_colours(server: Server) -> None:
    """unrealcv's UnrealCv_API builds its tables from our answers, moves the camera and spawns things."""
    real_client.client_class()
    import unrealcv

    with contextlib.redirect_stdout(io.StringIO()):
        api = unrealcv.UnrealCv_API(server.port, "127.0.0.1", (640, 480))
        try:
            assert api.obj_dict["gamma_3"] == [0, 127, 255]
            assert api.get_obj_bounds("alpha_0") == [300.0, 110.0, 100.0, 310.0, 130.0, 124.0]
            assert api.get_depth(0).shape == (480, 640, 1)
            api.set_cam_pose(0, [120, 210, 160, 5, 30, 0])
            assert api.get_cam_pose(0, "hard") == [120.0, 210.0, 160.0, 5.0, 30.0, 0.0]
            assert (api.set_new_obj("Cube", "box_1"), api.set_new_camera()) == ("box_1", "Camera_1")
            assert not api.is_unrealcv_plus()
        finally:
            api.client.disconnect()


def test_a_client_that_only_sends_is_cut_off_before_memory_ends(
    server: Server, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting commands are bounded in bytes; the next client is served."""
    monkeypatch.setattr(server_module, "_BACKLOG_BYTES", 100_000)
    release = threading.Event()
    monkeypatch.setattr(type(world), "shot", lambda self, number: release.wait(20) and 1 / 0)
    stream = raw(server)
    stream.sendall(frame(b"0:vget /camera/0/lit png"))
    with contextlib.suppress(OSError):
        stream.sendall(b"".join(frame(b"%d:vget /camera/0/fov" % number) for number in range(1, 1000)))
    assert ended(stream)
    release.set()
    with real_client.connected(server.port) as client:
        assert client.request("vget /camera/0/fov") == "90.0000"
