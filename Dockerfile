# The server as a small image: no shell script, no package manager step, nothing written at run time.
FROM mcr.microsoft.com/dotnet/sdk:10.0 AS build
WORKDIR /source
# Restored before the sources come in, so that a change of code does not restore again.
COPY global.json Directory.Build.props Directory.Build.targets Directory.Packages.props .editorconfig ./
COPY src/*/*.csproj src/
RUN for file in src/*.csproj; do mkdir "${file%.csproj}" && mv "$file" "${file%.csproj}/"; done && \
    dotnet restore src/Dns.Server
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
