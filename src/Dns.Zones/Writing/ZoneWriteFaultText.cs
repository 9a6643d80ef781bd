namespace Dns.Zones.Writing;

/// <summary>The text of a <see cref="ZoneWriteFault"/>, for log, commands and API; no other place has it.</summary>
public static class ZoneWriteFaultText
{
    /// <summary>A clause that follows "was refused: ".</summary>
    public static string Of(ZoneWriteFault fault)
    {
        string type = RRTypeText.Format(fault.Type);
        return fault.Kind switch
        {
            ZoneWriteFaultKind.NoZone => "there is no data of the zone",
            ZoneWriteFaultKind.ZoneExists => "the zone exists already",
            ZoneWriteFaultKind.OtherSerial => $"it has serial {fault.Serial}",
            ZoneWriteFaultKind.NotWritable => "the zone does not come from a file of this server",
            ZoneWriteFaultKind.NotTogether => "these zones cannot be changed together",
            ZoneWriteFaultKind.NoStateDirectory =>
                "there is no state directory to keep changes in (Dns:StateDirectory)",
            ZoneWriteFaultKind.Frozen => "the zone is frozen until \"dnsd zone thaw\"",
            ZoneWriteFaultKind.Secondary => "it is a secondary here, and updates go to its primary",
            ZoneWriteFaultKind.BadSignature =>
                "its TSIG does not verify: the key's name, algorithm or secret differ, or the clocks",
            ZoneWriteFaultKind.NotAllowed => "AllowUpdate does not allow it",
            ZoneWriteFaultKind.RecordNotAllowed =>
                $"AllowUpdate does not allow it to change {type} at {fault.Owner}",
            ZoneWriteFaultKind.QueryNotAllowed => "it has prerequisites, and AllowQuery does not allow it",
            ZoneWriteFaultKind.MadeBySigner =>
                $"{type} records are not changed by updates of a zone that the server signs",
            ZoneWriteFaultKind.Prerequisite => "a condition of it is false",
            ZoneWriteFaultKind.Invalid => fault.Edit!.Message,
            ZoneWriteFaultKind.RequestTooLarge =>
                $"its names have more than {fault.Most} octets of records: fewer at a time can be changed",
            ZoneWriteFaultKind.NameTooLarge =>
                $"its records at {fault.Owner} would have more than {fault.Most} octets",
            ZoneWriteFaultKind.RRsetTooLarge =>
                $"its {type} records at {fault.Owner} would have more than {fault.Most} octets, which a message with "
                    + "signatures may not hold",
            ZoneWriteFaultKind.RdataTooLarge =>
                $"a {type} record at {fault.Owner} would have more than {fault.Most} octets of RDATA, which a transfer "
                    + "with TSIG may not hold",
            ZoneWriteFaultKind.TooManyRecords =>
                $"it would have more than {fault.Most} {type} records at {fault.Owner} (Dns:MaxRecordsPerType)",
            ZoneWriteFaultKind.TooManyTypes =>
                $"it would have records of more than {fault.Most} types at {fault.Owner} (Dns:MaxTypesPerName)",
            ZoneWriteFaultKind.TooManyEmptyNames =>
                "the zone would have too many empty non-terminals for its records",
            ZoneWriteFaultKind.ZonesTooLarge =>
                $"the zones that are updated would take more than {fault.Most:N0} bytes of memory",
            ZoneWriteFaultKind.SignedZonesTooLarge =>
                $"the zones that are updated would take more than {fault.Most:N0} bytes of memory, with its signatures",
            ZoneWriteFaultKind.NotSigned =>
                $"the last version is not served, and only removals are accepted: {fault.Detail}",
            ZoneWriteFaultKind.Overloaded => "too many changes wait",
            ZoneWriteFaultKind.NotStored => $"it cannot be saved: {fault.Detail}",
            _ => "the server has a defect, which is in its log",
        };
    }
}
