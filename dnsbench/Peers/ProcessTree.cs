using System.Globalization;

namespace Dns.Bench;

/// <summary>Figures of a process and its descendants from /proc.</summary>
internal static class ProcessTree
{
    private const double TicksPerSecond = 100;

    /// <summary>The process and its descendants.</summary>
    internal static List<int> Members(int root)
    {
        ILookup<int, int> children = Directory.EnumerateDirectories("/proc")
            .Select(folder => int.TryParse(Path.GetFileName(folder), out int id) ? id : 0)
            .Where(id => id > 0)
            .ToLookup(ParentOf);
        List<int> members = [root];
        for (int i = 0; i < members.Count; i++) members.AddRange(children[members[i]]);
        return members;
    }

    /// <summary>
    /// The process, its descendants, and those that work in its folder: nsd replaces its processes by orphans.
    /// </summary>
    internal static List<int> Members(int root, string folder) => [.. Members(root)
        .Union(Directory.EnumerateDirectories("/proc")
            .Select(process => int.TryParse(Path.GetFileName(process), out int id) ? id : 0)
            .Where(id => id > 0 && FolderOf(id) == folder))];

    private static string? FolderOf(int process)
    {
        try
        {
            return new FileInfo($"/proc/{process}/cwd").LinkTarget;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It has ended in the meantime, or belongs to another user.
            return null;
        }
    }

    private static int ParentOf(int process)
    {
        // "1234 (name) S 1 …": the name may hold anything, so fields start after its last bracket.
        string text = ReadText($"/proc/{process}/stat");
        string[] fields = text[(text.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return fields.Length > 1 ? int.Parse(fields[1], CultureInfo.InvariantCulture) : 0;
    }

    /// <summary>Processor time in nanoseconds, user and system, of all threads that are alive.</summary>
    internal static long CpuNanoseconds(IEnumerable<int> members)
    {
        long sum = 0;
        foreach (int member in members)
            foreach (string task in Tasks(member))
                if (ReadText(Path.Combine(task, "schedstat")).Split(' ') is [{ Length: > 0 } running, ..])
                    sum += long.Parse(running, CultureInfo.InvariantCulture);
        return sum;
    }

    /// <summary>Resident memory in bytes, shared pages divided among their users (PSS).</summary>
    internal static long PssBytes(IEnumerable<int> members) => SumBytes(members, "Pss:");

    /// <summary>Resident memory in bytes, including shared pages (RSS).</summary>
    internal static long RssBytes(IEnumerable<int> members) => SumBytes(members, "Rss:");

    /// <summary>Resident memory in bytes that is of no file: data, and not the program.</summary>
    internal static long AnonymousBytes(IEnumerable<int> members) => SumBytes(members, "Anonymous:");

    private static long SumBytes(IEnumerable<int> members, string key)
    {
        long kilobytes = 0;
        foreach (int member in members)
            foreach (string line in ReadText($"/proc/{member}/smaps_rollup").Split('\n'))
                if (line.StartsWith(key, StringComparison.Ordinal))
                    kilobytes += long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1],
                        CultureInfo.InvariantCulture);
        return kilobytes * 1024;
    }

    /// <summary>Seconds that all processors of the machine have been busy.</summary>
    internal static double MachineSeconds()
    {
        string[] fields = ReadText("/proc/stat").Split('\n')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        // user nice system idle iowait irq softirq steal
        double ticks = 0;
        foreach (int field in (ReadOnlySpan<int>)[1, 2, 3, 6, 7, 8])
            ticks += double.Parse(fields[field], CultureInfo.InvariantCulture);
        return ticks / TicksPerSecond;
    }

    private static string[] Tasks(int process)
    {
        try
        {
            return Directory.GetDirectories($"/proc/{process}/task");
        }
        catch (IOException)
        {
            return [];
        }
    }

    private static string ReadText(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (IOException)
        {
            // The thread or process has ended in the meantime.
            return "";
        }
    }
}
