namespace Dns.Forwarding.Tests;

/// <summary>The same octets for the same seed.</summary>
internal sealed class SeededOctets(int seed) : RandomOctets
{
    private readonly Random _random = new(seed);

    protected override void Refill(Span<byte> octets) => _random.NextBytes(octets);
}
