#!/usr/bin/env bash
# No package has a known vulnerability. A feed that has no word of them says nothing about a package known to have one: then it is skipped.
set -u
. "$(dirname "$0")/../lib.sh"
audit() { dotnet restore "$1" --force -nologo -p:NuGetAudit=true -p:NuGetAuditMode=all -p:NuGetAuditLevel=low -p:TreatWarningsAsErrors=false; }

mkdir "$work/known"
cat >"$work/known/known.csproj" <<'PROJECT'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><PackageReference Include="Newtonsoft.Json" Version="12.0.1" /></ItemGroup>
</Project>
PROJECT
if audit "$work/known/known.csproj" 2>&1 | grep -qE 'NU190[1-4]'; then
  audit Dns.sln >"$work/audit.log" 2>&1
  if grep -E 'NU190[1-4]' "$work/audit.log" | sort -u; then fail "packages have known vulnerabilities"; else pass "no known vulnerability"; fi
else
  skip "packages: the feed has no word of vulnerabilities"
fi
finish
