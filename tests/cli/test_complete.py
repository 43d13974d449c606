"""Shell completion, by click's protocol and in a real bash: names by kind, quickly, and silent about faults."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recfw.cli import complete
from recfw.testing.project import Project

QUESTION = {"_RECFW_COMPLETE": "bash_complete"}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a cache folder that tests share, as making it anew takes a second."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def ask(recfw, tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """Give what completes a line; it returns (values, errors)."""
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))

    def line(text: str, **more: str) -> tuple[list[str], str]:
        with monkeypatch.context() as patch:
            for name, value in (*QUESTION.items(), *more.items()):
                patch.setenv(name, value)
            patch.setenv("COMP_WORDS", text)
            patch.setenv("COMP_CWORD", more.get("COMP_CWORD", str(text.count(" "))))
            capsys.readouterr()
            complete.complete(os.environ)
        out, err = capsys.readouterr()
        return [line.partition(",")[2] for line in out.splitlines() if line], err

    return line


def test_words_complete_by_what_they_name(ask, recfw) -> None:
    """Commands, options, components by kind, plugins, choices, known plugins and runs."""
    recfw("run", "--track", "fake-dialogue", "--tasks", "d0")
    assert ask("recfw ru") == (["run", "runs"], "")
    assert "--concurrency" in ask("recfw run --conc")[0]
    assert ask("recfw run --agent fake-m") == (["fake-model"], "")
    assert ask("recfw run --track fake-r") == (["fake-rounds"], "")
    assert ask("recfw report --format mark") == (["markdown"], "")
    assert ask("recfw report --analysis summ") == (["summary"], "")
    assert ask("recfw run --plugin fakes") == (["fakes.plugin"], "")
    assert ask("recfw --log-level de") == (["debug"], "")
    assert ask("recfw plugins info fake-wa") == (["fake-walker"], "")
    assert ask("recfw plugins install bo") == (["books"], "")
    (latest, run), _ = ask("recfw runs show ")
    assert (latest, len(run)) == ("latest", 22)
    assert ask(f"recfw run --resume {run[:10]}") == ([run], "")
    assert ask("recfw runs show ", RECFW_STORE="none.db") == ([], "")
    assert ask(f"recfw runs show --store {os.environ['RECFW_STORE']} l", RECFW_STORE="none.db") == (["latest"], "")


def test_tags_statuses_and_trials_complete(ask, recfw) -> None:
    """What is stored is offered: tags, statuses, and the trials of the run that was typed, by any of its names."""
    recfw("run", "--track", "fake-dialogue", "--agent", "fake-asker", "--tasks", "d0", "--tasks", "d1", "--trials", "2")
    recfw("run", "--track", "fake-dialogue", "--agent", "fake-model", "--tasks", "d3")
    (_, _, first), _ = ask("recfw runs show ")
    recfw("runs", "tag", first, "paper", "base")
    assert ask("recfw runs list --tag ") == (["base", "paper"], "")
    assert ask("recfw runs tag latest p") == (["paper"], "")
    assert ask("recfw runs prune --status in") == (["incomplete", "interrupted"], "")
    assert ask("recfw trace latest ") == (["fake-model/d3/0"], "")
    assert ask("recfw trace paper fake-asker/d1") == (["fake-asker/d1/0", "fake-asker/d1/1"], "")
    assert ask(f"recfw replay {first} --trial fake-asker/d0/1") == (["fake-asker/d0/1"], "")
    assert ask("recfw trace no-such-run ") == ([], "")
    assert ask("recfw trace latest ", RECFW_STORE="postgresql://nowhere/x") == ([], "")


@pytest.mark.parametrize("words", ["import", "verify", "leaderboard", "registry check", "runs merge", "run --config"])
def test_files_complete(ask, words: str) -> None:
    """Where a command takes a file or a folder the shell is asked for one, behind an option or not."""
    assert ask(f"recfw {words} b", _RECFW_COMPLETE="fish_complete", COMP_CWORD="b") == (["b"], "")


def test_it_is_quick(project: Project, cache: str) -> None:
    """A second word takes less than 0.3 s of a processor, as nothing is imported but what was kept of the first."""
    env = {**project.env(), **QUESTION, "XDG_CACHE_HOME": cache, "COMP_WORDS": "recfw run --agent fake-m"}
    taken = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(project.command(), env={**env, "COMP_CWORD": "3"}, capture_output=True)
        taken.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        assert done.stdout == b"plain,fake-model\n"
    assert min(taken) < 0.3


def test_a_changed_file_is_noticed(ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept is made anew when a plugin comes, and when its files change."""
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "zap_of_completion"
    package.mkdir()
    for name in ("__init__.py", "plugin.py"):
        (package / name).touch()
    more = {"RECFW_PLUGINS": "zap_of_completion.plugin"}
    assert ask("recfw run --plugin zap", **more) == (["zap_of_completion.plugin"], "")
    (package / "plugin.py").write_text(
        "from recfw.hookspecs import hookimpl\nfrom fakes.dialogue import Asker\n"
        "@hookimpl\ndef recfw_register_agents(): return [type('Z', (Asker,), {'name': 'zapper'})]\n"
    )
    for name in ("zap_of_completion", "zap_of_completion.plugin"):
        sys.modules.pop(name)
    assert ask("recfw run --agent zap", **more) == (["zapper"], "")


@pytest.mark.parametrize("more", [{"RECFW_PLUGINS": "no_such_module"}, {"XDG_CACHE_HOME": "/proc/none"}])
def test_faults_are_silent(ask, more: dict[str, str]) -> None:
    """A broken plugin, or a cache that cannot be written, says nothing into the line, and the rest completes."""
    assert ask("recfw ru", **more) == (["run", "runs"], "")


def test_a_broken_configuration_is_silent(ask, tmp_path: Path) -> None:
    """A file that cannot be read does not speak up in the middle of a line."""
    (tmp_path / "recfw.toml").write_text("[[[")
    assert ask("recfw ru") == (["run", "runs"], "")
    assert ask("recfw runs show ")[1] == ""


def test_nothing_is_said_to_an_unknown_shell(capsys: pytest.CaptureFixture[str]) -> None:
    """What is no question of a shell gets no answer."""
    assert complete.complete({"_RECFW_COMPLETE": "tcsh_complete"}) == 1
    assert complete.complete({"_RECFW_COMPLETE": "bash_source"}) == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed(recfw, shell: str) -> None:
    """Each script asks back by the variable that the command line listens to."""
    done = recfw("completion", shell)
    assert (done.status, f"_RECFW_COMPLETE={shell}_complete" in done.out) == (0, True)


def test_fish_shows_helps_with_commas_whole(recfw) -> None:
    """Its script parts what it is told at the first comma, as helps hold others."""
    script = recfw("completion", "fish").out
    assert (script.count("string split "), script.count('string split --max 1 ","')) == (1, 1)


def test_a_real_bash_completes(project: Project, recfw, tmp_path: Path, cache: str) -> None:
    """The script works in bash: it registers a function, which fills in the words that fit."""
    binaries = tmp_path / "bin"
    binaries.mkdir()
    command = binaries / "recfw"
    command.write_text(f'#!/bin/sh\nexec {project.command()[0]} -m recfw.cli.main "$@"\n')
    command.chmod(0o755)
    script = recfw("completion", "bash").out + (
        "\nCOMP_WORDS=(recfw run --agent fake-m); COMP_CWORD=3\n"
        '_recfw_completion recfw; echo "${COMPREPLY[@]}"; complete -p recfw\n'
    )
    env = {**project.env(), "PATH": f"{binaries}:{os.environ['PATH']}", "XDG_CACHE_HOME": cache}
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", script], env=env, cwd=tmp_path, capture_output=True, text=True)
    first, second = done.stdout.splitlines()
    assert (done.stderr, first) == ("", "fake-model")
    assert second.endswith("_recfw_completion recfw")
