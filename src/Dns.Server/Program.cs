using Dns.Server;

SocketCompletions.RunInline();
return await DnsdCommand.InvokeAsync(args, Console.Out, Console.Error);
