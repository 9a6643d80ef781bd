namespace Dns.Tidy.Tests;

/// <summary>
/// What may break a law, with the reason. An entry that no longer matches anything fails a test, so the list can only
/// shrink.
/// </summary>
internal static class Exceptions
{
    /// <summary>Path, the word found there, why it may stay.</summary>
    public static readonly (string Path, string Word, string Reason)[] Words = [];

    /// <summary>Path, member, why it is longer than a screen.</summary>
    public static readonly (string Path, string Member, string Reason)[] LongMembers = [];

    public static IEnumerable<string> Remove(IEnumerable<string> offenders) =>
        offenders.Where(offender => !Words.Any(e => Matches(offender, e.Path, e.Word)));

    public static bool Matches(string offender, string path, string word) =>
        offender.StartsWith(path + ":", StringComparison.Ordinal) &&
            offender.EndsWith(": " + word, StringComparison.Ordinal);
}
