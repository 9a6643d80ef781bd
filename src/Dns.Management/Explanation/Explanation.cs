namespace Dns.Management;

/// <summary>One step towards an answer.</summary>
/// <param name="Name">The name that is looked for.</param>
/// <param name="Source">Where: a zone that is served, one that is forwarded, or none.</param>
/// <param name="Rule">What holds for the name there.</param>
/// <param name="Details">What else there is to say, a line each.</param>
internal sealed record ExplanationStep(string Name, string Source, string Rule, IReadOnlyList<string> Details);

/// <summary>Why an answer is what it is.</summary>
/// <param name="Question">Name and type.</param>
/// <param name="Client">Who would ask.</param>
/// <param name="Steps">From the question's name on, an alias each.</param>
/// <param name="Outcome">What would be sent, in a few words.</param>
/// <param name="Message">The message, line by line; empty if none would be sent at once.</param>
internal sealed record Explanation(
    string Question, string Client, IReadOnlyList<ExplanationStep> Steps, string Outcome, IReadOnlyList<string> Message)
{
    /// <summary>Writes it for people.</summary>
    public void Write(TextWriter text)
    {
        text.WriteLine($"{Question}, asked by {Client}");
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
