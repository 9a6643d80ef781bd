using System.CommandLine.Invocation;

namespace Dns.Commands;

/// <summary><c>dnsd --version</c>: one line with the version and the commit.</summary>
internal sealed class VersionText : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        parseResult.InvocationConfiguration.Output.WriteLine(ProgramVersion.Full);
        return ExitCode.Good;
    }
}
