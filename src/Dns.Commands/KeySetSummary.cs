namespace Dns.Commands;

/// <summary>A request or a bundle in a few lines: the operators of both machines compare them.</summary>
internal static class KeySetSummary
{
    public static void WriteRequest(TextWriter text, KeySets request)
    {
        Write(text, request, request, KeySetText.DigestOf(request), $"the last one from {request.Slots[^1].Start:u}");
        if (request.Slots[0].Start > request.Made)
            text.WriteLine($"the key sets before {request.Slots[0].Start:u} stay as they are: --from now replaces " +
                "them, --new-zsk their ZSK too");
    }

    public static void WriteBundle(TextWriter text, KeySets request, KeySets bundle) =>
        Write(text, request, bundle, bundle.Request!, $"signatures until {bundle.End:u}");

    private static void Write(TextWriter text, KeySets request, KeySets sets, string digest, string end)
    {
        text.WriteLine($"zone {request.Zone}, request of {request.Made:u}, sha256 {digest}");
        text.WriteLine($"{Counted.Of(sets.Slots.Count, "key set")} from {sets.Slots[0].Start:u}, {end}");
        foreach (Dnskey key in sets.Slots.SelectMany(slot => slot.Keys).Distinct())
        {
            KeySlot[] slots = [.. sets.Slots.Where(slot => slot.Keys.Contains(key))];
            KeySlot? without = sets.Slots.FirstOrDefault(slot => slot.Start > slots[^1].Start);
            text.WriteLine(
                $"{(key.IsSep ? "ksk" : "zsk")} {key} in {Counted.Of(slots.Length, "key set")} from " +
                    $"{slots[0].Start:u}" + (without is null ? "" : $" to {without.Start:u}"));
        }
        string tags = request.Parent is null
            ? "not known" : request.Parent.Count == 0 ? "none" : string.Join(", ", request.Parent);
        text.WriteLine($"DS records at the parent when it was made: {tags}");
    }
}
