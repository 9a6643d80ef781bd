namespace Dns.Zones.MasterFiles;

/// <summary>What is wrong with a <see cref="GenerateDirective"/>.</summary>
internal enum GenerateFault : byte { None, Form, Range, RangeOrder, Step, Counter }
