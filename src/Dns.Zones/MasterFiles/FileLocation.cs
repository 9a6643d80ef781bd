namespace Dns.Zones.MasterFiles;

/// <summary>A position in a master file.</summary>
/// <param name="File">The file as named by the user.</param>
/// <param name="Line">The line, from 1; 0 for the whole file.</param>
/// <param name="Column">The column in octets, from 1; 0 for the whole line.</param>
internal readonly record struct FileLocation(string File, int Line, int Column);
