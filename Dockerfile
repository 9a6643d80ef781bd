# The server as a small image: no shell script, no package manager step, nothing written at run time.
FROM mcr.microsoft.com/dotnet/sdk:10.0 AS build
WORKDIR /source
# Restored before the sources come in, so that a change of code does not restore again.
COPY global.json Directory.Build.props Directory.Build.targets Directory.Packages.props .editorconfig ./
COPY src/Dns.Protocol/Dns.Protocol.csproj src/Dns.Protocol/
COPY src/Dns.Zones/Dns.Zones.csproj src/Dns.Zones/
COPY src/Dns.Answering/Dns.Answering.csproj src/Dns.Answering/
COPY src/Dns.Client/Dns.Client.csproj src/Dns.Client/
COPY src/Dns.Commands/Dns.Commands.csproj src/Dns.Commands/
COPY src/Dns.Configuration/Dns.Configuration.csproj src/Dns.Configuration/
COPY src/Dns.Dnssec/Dns.Dnssec.csproj src/Dns.Dnssec/
COPY src/Dns.Files/Dns.Files.csproj src/Dns.Files/
COPY src/Dns.Forwarding/Dns.Forwarding.csproj src/Dns.Forwarding/
COPY src/Dns.Hosting/Dns.Hosting.csproj src/Dns.Hosting/
COPY src/Dns.Import/Dns.Import.csproj src/Dns.Import/
COPY src/Dns.Management/Dns.Management.csproj src/Dns.Management/
COPY src/Dns.Providers/Dns.Providers.csproj src/Dns.Providers/
COPY src/Dns.Reloading/Dns.Reloading.csproj src/Dns.Reloading/
COPY src/Dns.Replication/Dns.Replication.csproj src/Dns.Replication/
COPY src/Dns.Telemetry/Dns.Telemetry.csproj src/Dns.Telemetry/
COPY src/Dns.Transport/Dns.Transport.csproj src/Dns.Transport/
COPY src/Dns.Transport.Outgoing/Dns.Transport.Outgoing.csproj src/Dns.Transport.Outgoing/
COPY src/Dns.Transport.Streams/Dns.Transport.Streams.csproj src/Dns.Transport.Streams/
COPY src/Dns.Server/Dns.Server.csproj src/Dns.Server/
RUN dotnet restore src/Dns.Server
COPY src/ src/
RUN dotnet publish src/Dns.Server -c Release --no-restore -p:RunAnalyzers=false -o /app && mkdir /state

FROM mcr.microsoft.com/dotnet/aspnet:10.0
# No diagnostics: the runtime would make a socket under /tmp, and the root file system may be read-only.
ENV DOTNET_EnableDiagnostics=0
COPY --from=build /app /app
COPY container/dnsd.json /etc/dnsd/dnsd.json
# A volume there gets its owner.
COPY --from=build --chown=1654:1654 /state /var/lib/dnsd
VOLUME /zones
EXPOSE 53/udp 53/tcp
USER 1654
WORKDIR /zones
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["/app/dnsd", "query", "id.server", "TXT", "CH", "@127.0.0.1:53"]
ENTRYPOINT ["/app/dnsd"]
CMD ["run", "--config", "/etc/dnsd/dnsd.json"]
