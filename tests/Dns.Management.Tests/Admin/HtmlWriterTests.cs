namespace Dns.Management.Tests.Admin;

public class HtmlWriterTests
{
    [Theory]
    [InlineData("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;")]
    [InlineData("\"><img src=x onerror='a'>", "&quot;&gt;&lt;img src=x onerror=&#x27;a&#x27;&gt;")]
    [InlineData("a&b", "a&amp;b")]
    [InlineData(null, "")]
    public void A_value_is_text_whatever_it_holds(string? value, string expected)
    {
        HtmlWriter html = new();
        html.Add($"<td title=\"{value}\">{value}</td>");
        Assert.Equal($"<td title=\"{expected}\">{expected}</td>", html.ToString());
    }
}
