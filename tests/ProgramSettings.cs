using System.Runtime.CompilerServices;
using Dns.Configuration.Declaring;
using Dns.Server.Hosting;

namespace Dns;

/// <summary>Tests read the settings of the program, with those of its features, whichever test is the first.</summary>
internal static class ProgramSettings
{
    [ModuleInitializer]
    internal static void Declare() => DeclaredSettings.FindFeatures = ServerFeatures.FindSettings;

    extension(ServerOptions options)
    {
        public AdminOptions Admin => options.Of(AdminOptions.Section);

        public CookieOptions Cookies => options.Of(CookieOptions.Section);

        public QueryLogOptions QueryLog => options.Of(QueryLogOptions.Section);

        public RateLimitOptions RateLimit => options.Of(RateLimitSettings.Section);

        public TcpLimits Tcp => options.Of(TcpSettings.Section);

        public TransferOptions Transfer => options.Of(TransferSettings.Section);

        public UdpOptions Udp => options.Of(UdpOptions.Section);
    }
}
