namespace Dns.Commands;

/// <summary><c>dnsd keys list|rollover|submitted NAME</c>, by the running server or on the files of a folder.</summary>
internal static class KeysStateCommands
{
    public static IEnumerable<Command> Create() => [CreateList(), CreateRollover(), CreateSubmitted()];

    private static Command CreateList() => new KeysStateCommand(
        "list", "Lists the keys of a zone: tag, algorithm, role, state, and what comes next.", [],
        static (replies, call) => replies.List(call));

    private static Command CreateRollover()
    {
        Option<bool> ksk = new("--ksk") { Description = "The KSK, or the key that signs all." };
        Option<bool> zsk = new("--zsk") { Description = "The ZSK. Without both: every key." };
        AlgorithmOption algorithm = new();
        KeysStateCommand command = new(
            "rollover", "Has keys of a zone roll over before their lifetimes end, or to another algorithm.",
            [
                result => result.GetValue(ksk) ? "true" : null, result => result.GetValue(zsk) ? "true" : null,
                result => algorithm.Read(result) is { } chosen ? DnssecAlgorithms.NameOf(chosen) : null,
            ],
            static (replies, call) => replies.RollOver(call))
        {
            ksk, zsk, algorithm,
        };
        command.Validators.Add(result =>
        {
            bool isForOne = (result.GetResult(ksk) ?? result.GetResult(zsk)) is { Implicit: false };
            if (isForOne && result.GetResult(algorithm) is { Implicit: false })
                result.AddError("--algorithm is about all keys: expected it without --ksk and --zsk");
        });
        return command;
    }

    private static Command CreateSubmitted()
    {
        Argument<string?> tag = new("TAG")
        {
            Description = "The tag of the key; without it the one whose DS record is waited for.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        tag.Validators.Add(result =>
        {
            if (result.Tokens is [var token] &&
                !ushort.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out _))
                result.AddError($"\"{token.Value}\" is not the tag of a key: expected 0 to 65535");
        });
        return new KeysStateCommand(
            "submitted",
            "Says that the parent has the DS record that is waited for, and no other; or none, where that is waited " +
                "for.",
            [result => result.GetValue(tag)], static (replies, call) => replies.Submit(call))
        {
            tag,
        };
    }

    /// <summary>Finds the policy of a zone in the settings; null if they have none.</summary>
    /// <param name="isListing">Whether keys are only listed, for which settings with errors are ignored.</param>
    /// <exception cref="ControlException">The settings have errors.</exception>
    internal static DnssecPolicy? PolicyOf(DomainName zone, Settings settings, bool isListing)
    {
        if (settings.Problems.Count > 0)
            return isListing ? null : throw new ControlException(string.Join('\n', settings.Problems));
        string? name = settings.Options.Zones.FirstOrDefault(one => zone.Equals(one.Name))?.Policy?.Dnssec;
        return name is null ? null : settings.Options.FindDnssecPolicy(name);
    }
}
