namespace Dns.Answering.Views;

/// <summary>
/// What a group of clients sees: the zones served to them, and the names forwarded for them. Its number is part of the
/// key of every cached answer and upstream query. Immutable.
/// </summary>
/// <param name="name">Its name in settings, commands and status.</param>
/// <param name="number">Its number, unique while anything is cached for it.</param>
/// <param name="zones">Its zones, published now and later.</param>
/// <param name="forwarded">Its forwarded names, and who may use them; null = none.</param>
public sealed class View(string name, ushort number, PublishedZones zones, IForwardedZones? forwarded = null)
{
    /// <summary>The name of the view of a server without others, which is the last of several.</summary>
    public const string DefaultName = "default";

    /// <summary>The number of that view.</summary>
    public const ushort DefaultNumber = 0;

    /// <summary>Its name.</summary>
    public string Name { get; } = name;

    /// <summary>Its number.</summary>
    public ushort Number { get; } = number;

    /// <summary>Its zones.</summary>
    public PublishedZones Zones { get; } = zones;

    /// <summary>Its forwarded names; null = none.</summary>
    public IForwardedZones? Forwarded { get; } = forwarded;
}
