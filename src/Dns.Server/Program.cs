using Dns.Server;

return await DnsdCommand.InvokeAsync(args, Console.Out, Console.Error);
