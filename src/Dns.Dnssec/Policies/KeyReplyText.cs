namespace Dns.Dnssec.Policies;

/// <summary>Replies to an operator's requests as text.</summary>
public static class KeyReplyText
{
    /// <summary>The result of a request, or the reason for its refusal.</summary>
    public static string Of(KeyReply reply) => reply.Kind switch
    {
        KeyReplyKind.Done => "",
        KeyReplyKind.RollsOver => string.Join("; ", reply.Rollovers.Select(Of)),
        KeyReplyKind.AlgorithmRollsOver => $"the keys roll over to {DnssecAlgorithms.NameOf(reply.Algorithm)}; policy "
            + $"{reply.Policy!.Name} says {DnssecAlgorithms.NameOf(reply.Policy.Algorithm)}: change the policy, too: "
            + "keys made after a loss of the state follow it",
        KeyReplyKind.DsConfirmed => $"the parent has the DS record of key {reply.Keys.Tags()} and no other",
        KeyReplyKind.NoDsConfirmed => "the parent has no DS records of the zone",
        KeyReplyKind.BundleLoaded =>
            $"there are signatures of the KSK until {reply.Time:u}, in {reply.Slots} slots",
        KeyReplyKind.NotSignedHere => "it is not signed here",
        KeyReplyKind.Busy => "it is being signed: try again when that is over",
        KeyReplyKind.Failed => reply.Error!,
        KeyReplyKind.Leaving => "the zone is becoming unsigned: expected a zone with a policy",
        KeyReplyKind.KeysInBundles => "the KSK is offline, and keys come in bundles: \"dnsd keys request --new-zsk\" "
            + "for another ZSK, or \"--from now\" when its machine has another KSK, then \"sign-request\" and "
            + "\"load-bundle\"",
        KeyReplyKind.AlgorithmInBundles => "the KSK is offline, and bundles have keys of one algorithm: import the "
            + "KSK (\"dnsd keys import\"), use a policy without OfflineKsk, roll the algorithm over, and then move "
            + "the new KSK away again",
        KeyReplyKind.NoKey => "the zone has no key yet: the first signing creates one",
        KeyReplyKind.NoZsk => "the zone has no ZSK: it has a CSK, use --ksk",
        KeyReplyKind.NoKsk => "the zone has no KSK on this machine",
        KeyReplyKind.AlgorithmUnsupported =>
            $"this machine does not sign with {DnssecAlgorithms.NameOf(reply.Algorithm)}",
        KeyReplyKind.AlgorithmUnchanged =>
            $"the zone has {DnssecAlgorithms.NameOf(reply.Algorithm)} already, or is rolling over to it",
        KeyReplyKind.NoDsRequested =>
            "no DS record is requested yet: caches may still have the zone without signatures",
        KeyReplyKind.OtherDsRequested =>
            $"the requested DS record is of key {reply.Keys.Tags()}, not of key {reply.Tag}",
        KeyReplyKind.KskHere => $"policy {reply.Policy!.Name} keeps the KSK here: expected \"OfflineKsk\": true",
        KeyReplyKind.EndTooEarly => $"expected an end later than {reply.Time:u}",
        KeyReplyKind.EndTooLate => $"expected an end within ten years of {reply.Time:u}",
        KeyReplyKind.TooManySlots => $"that takes more than {KeySets.MaxSlots} slots: expected an earlier end",
        KeyReplyKind.BundleFaulty => Of(reply.Fault!),
        KeyReplyKind.BundleShorter => $"its last signatures end at {reply.Time:u}, those that are loaded at "
            + $"{reply.LoadedEnd:u}: expected a newer one, or --force",
        KeyReplyKind.BundleTooLate => $"it begins at {reply.Time:u}, and there is none until then: expected one from "
            + "now on",
        _ => $"with what is loaded it has more than {KeySets.MaxSlots} slots",
    };

    /// <summary>What is wrong with a bundle.</summary>
    public static string Of(KeySetFault fault) =>
        (fault.Slot is { } slot ? $"slot {slot:u}: " : "") + fault.Kind switch
        {
            KeySetFaultKind.OtherZone =>
                $"found a bundle of zone {fault.Zones.Found}, expected one of {fault.Zones.Expected}",
            KeySetFaultKind.NoSlot => "found no slot, expected one",
            KeySetFaultKind.Unordered => "the next slot begins no later, expected slots in order",
            KeySetFaultKind.Gap => $"its signatures end at {fault.End:u}, before the next slot begins",
            KeySetFaultKind.NoKey => "expected a KSK and a ZSK",
            KeySetFaultKind.SharedTag => "found two keys with one tag, expected one",
            KeySetFaultKind.NoZoneKey => "found a key that may not sign the zone",
            KeySetFaultKind.SeveralAlgorithms => "found keys of several algorithms, expected one",
            KeySetFaultKind.StrangeCds => "found a CDS record of no KSK of the slot",
            KeySetFaultKind.UnequalCds => "found CDS and CDNSKEY records of different keys",
            KeySetFaultKind.NoSignature => $"found no good signature of key {fault.Key!.Tag} over "
                + $"{RRTypeText.Format(fault.Type)}, expected one",
            KeySetFaultKind.Expired => $"its last signatures ended at {fault.End:u}: expected a newer one",
            KeySetFaultKind.NoParentKey => $"the parent has the DS record of key {fault.Parent.Tags()}, which is not "
                + "in it: expected that key",
            _ => $"the private key of {fault.Key} is not here: expected a bundle of a request of this server",
        };

    private static string Of((KeyIds Keys, KeyIds Before) rollover) =>
        (rollover.Keys.Count == 1
            ? $"key {rollover.Keys.Tags()} rolls over" : $"keys {rollover.Keys.Tags()} roll over")
        + (rollover.Before.Count > 0 ? $" when {KeyText.Are(rollover.Before)} out of use" : "");
}
