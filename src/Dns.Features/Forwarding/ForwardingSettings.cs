namespace Dns.Features.Forwarding;

/// <summary>The settings of forwarding.</summary>
public static class ForwardingSettings
{
    extension(ServerOptions options)
    {
        /// <summary>Forwarded zones, in the order of the settings.</summary>
        public IReadOnlyList<ForwardZone> Forward => options.Of(ForwardSetting.Zones);

        /// <summary>Access and limits of forwarding. Values derived from other settings are not set.</summary>
        public ForwarderOptions Recursion => options.Of(RecursionOptions.Section).Limits;

        /// <summary>Whether the names of RFC 6303 and RFC 6761 are answered here and not forwarded.</summary>
        public bool RecursionLocalNames => options.Of(RecursionOptions.Section).LocalNames;

        /// <summary>What is cached; by default 256 MiB, or a quarter of the memory where that is less.</summary>
        public CacheOptions Cache => options.Of(CacheSettings.Section).Limits;

        /// <summary>The file that keeps the cache while the server is stopped; null = there is none.</summary>
        public string? CacheFile => options.Of(CacheSettings.Section).File;
    }
}
