namespace Dns.Zones;

/// <summary>Where something stands in a master file.</summary>
/// <param name="File">The file as it was named.</param>
/// <param name="Line">The line, from 1; 0 for the file as a whole.</param>
/// <param name="Column">The column in octets, from 1; 0 for the line as a whole.</param>
internal readonly record struct FileLocation(string File, int Line, int Column);
