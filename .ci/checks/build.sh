#!/usr/bin/env bash
# The whole solution builds without a warning.
set -u
. "$(dirname "$0")/../lib.sh"
check_command "dotnet build Dns.sln -c Release -warnaserror" dotnet build Dns.sln -c Release -warnaserror -nologo
finish
