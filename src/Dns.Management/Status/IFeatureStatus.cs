namespace Dns.Management.Status;

/// <summary>What the features of the server show and can do. Thread-safe.</summary>
public interface IFeatureStatus
{
    /// <summary>Without features.</summary>
    static IFeatureStatus None { get; } = new NoFeatures();

    /// <summary>Their counters for <c>dnsd stats</c>.</summary>
    IEnumerable<CountGroup> Counts { get; }

    /// <summary>What an operator should know at this moment.</summary>
    IEnumerable<StatusWarning> FindWarnings();

    /// <summary>Adds what they know of a zone.</summary>
    ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot);

    /// <summary>Why a command cannot add a zone of this name, a clause about it; null if it can.</summary>
    string? FindObstacle(DomainName zone);

    /// <summary>What <c>dnsd why</c> says of names that other servers answer; null = there are none.</summary>
    IExplainedForwarding? Explained { get; }

    /// <summary>Adds their commands.</summary>
    void AddTo(CommandTable commands);

    private sealed class NoFeatures : IFeatureStatus
    {
        public IEnumerable<CountGroup> Counts => [];

        public IEnumerable<StatusWarning> FindWarnings() => [];

        public ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) => status;

        public string? FindObstacle(DomainName zone) => null;

        public IExplainedForwarding? Explained => null;

        public void AddTo(CommandTable commands)
        {
        }
    }
}
