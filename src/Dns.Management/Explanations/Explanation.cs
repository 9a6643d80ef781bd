namespace Dns.Management.Explanations;

/// <summary>One step of a resolution.</summary>
/// <param name="Source">Its zone: served, forwarded, or none.</param>
public sealed record ExplanationStep(string Name, string Source, string Rule, IReadOnlyList<string> Details);

/// <summary>The explanation of an answer.</summary>
/// <param name="Steps">From the question's name on, one for each alias.</param>
/// <param name="Hint">That the default client was assumed, where the answer depends on it; else null.</param>
/// <param name="Message">The message, line by line; empty if none would be sent at once.</param>
public sealed record Explanation(
    string Question, string Client, IReadOnlyList<ExplanationStep> Steps, string Outcome, IReadOnlyList<string> Message,
    string? Hint)
{
    /// <summary>The view of the query.</summary>
    public string View { get; init; } = Answering.Views.View.DefaultName;

    public void Write(TextWriter text)
    {
        string view = View == Answering.Views.View.DefaultName ? "" : $", in view {View}";
        text.WriteLine($"{Question}, queried by {Client}{view}");
        if (Hint is not null) text.WriteLine($"{Hint} (--from ADDRESS)");
        foreach (ExplanationStep step in Steps)
        {
            text.WriteLine();
            text.WriteLine(step.Name);
            TextTable table = new(false, false);
            table.Add("  from", step.Source);
            table.Add("  rule", step.Rule);
            foreach (string detail in step.Details) table.Add("", detail);
            table.Write(text);
        }
        text.WriteLine();
        text.WriteLine(Outcome);
        if (Message.Count == 0) return;
        text.WriteLine();
        foreach (string line in Message) text.WriteLine(line);
    }
}
