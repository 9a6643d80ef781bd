namespace Dns.Commands;

/// <summary><c>dnsd zone sign NAME FILE</c>: signs a zone file, or renews the signatures of a signed one.</summary>
internal static class ZoneSignCommand
{
    private static readonly TimeSpan MostLifetime = TimeSpan.FromDays(3650);

    public static Command Create()
    {
        ZoneArguments arguments = new();
        Option<string> keys =
            new("--keys", "-k") { Description = "The directory of the key files.", HelpName = "DIR", Required = true };
        Option<string> output = new("--output", "-o")
        {
            Description = "The signed file; - is standard output.", HelpName = "FILE", Required = true,
        };
        AlgorithmOption algorithm = new();
        Option<string?> denial =
            new("--denial") { Description = "nsec or nsec3. Default: that of the signed file, else nsec." };
        denial.AcceptOnlyFromAmong("nsec", "nsec3");
        Option<bool> optOut =
            new("--opt-out") { Description = "NSEC3 opt-out: none for unsigned delegations (RFC 5155 section 6)." };
        Option<bool> zonemd = new("--zonemd") { Description = "Add a digest of the zone, ZONEMD (RFC 8976)." };
        Option<string> serial = new("--serial")
        {
            Description = "increment, unixtime, dateserial or keep.", DefaultValueFactory = _ => "increment",
        };
        serial.AcceptOnlyFromAmong("increment", "unixtime", "dateserial", "keep");
        Option<string> lifetime = LifetimeOption();
        Command command = new("sign",
            "Signs a zone file; creates a key if there is none, and keeps valid signatures of a signed file.");
        arguments.AddTo(command);
        foreach (Option option in (Option[])[keys, output, algorithm, denial, optOut, zonemd, serial, lifetime])
            command.Add(option);
        command.Validators.Add(found =>
        {
            if (found.GetResult(optOut) is not null && found.GetValue(denial) == "nsec")
                found.AddError("--opt-out: expected --denial nsec3 with it");
        });
        command.SetAction((result, cancellation) =>
        {
            var (zone, file) = arguments.Read(result);
            TryReadTime(result.GetValue(lifetime)!, out TimeSpan time);
            SerialPolicies.TryParse(result.GetValue(serial)!, out SerialPolicy policy);
            ZoneFileSigning signing = new(zone, file, result.GetRequiredValue(keys), result.GetRequiredValue(output))
            {
                Algorithm = algorithm.Read(result),
                Denial = result.GetValue(optOut) ? DenialPlan.Nsec3OptOut : result.GetValue(denial) switch
                {
                    "nsec" => DenialPlan.Nsec,
                    "nsec3" => DenialPlan.Nsec3,
                    _ => null,
                },
                Zonemd = result.GetValue(zonemd),
                Serial = policy,
                Lifetime = time,
            };
            InvocationConfiguration invocation = result.InvocationConfiguration;
            return Task.FromResult(signing.Run(invocation.Output, invocation.Error, cancellation));
        });
        return command;
    }

    private static Option<string> LifetimeOption()
    {
        Option<string> lifetime = new("--lifetime")
        {
            Description = "Validity of signatures, such as 30d.", HelpName = "TIME", DefaultValueFactory = _ => "14d",
        };
        lifetime.Validators.Add(found =>
        {
            foreach (var token in found.Tokens)
                if (!TryReadTime(token.Value, out _))
                    found.AddError($"--lifetime {token.Value}: expected a time from 1h to 3650d such as 30d");
        });
        return lifetime;
    }

    private static bool TryReadTime(string text, out TimeSpan time)
    {
        bool isTime = TtlText.TryParse(Encoding.UTF8.GetBytes(text), out uint seconds);
        time = TimeSpan.FromSeconds(seconds);
        return isTime && time >= TimeSpan.FromHours(1) && time <= MostLifetime;
    }
}
