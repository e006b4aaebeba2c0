// Elsewise in VS Code. What is shown comes from the language server, `elsewise lsp`; here it is coloured, and pictures and
// terminals are opened, which the protocol has no words for.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { byState, words, STATES, type Branches, type LineState } from "./branches";
import { page, type Picture } from "./page";
import { isOneCommand, withProgram } from "./shell";

const LANGUAGES = ["c", "cpp", "erlang", "elixir", "prolog", "perl", "xml"];
const ENDINGS = "{c,cc,cpp,cxx,erl,ex,exs,pl,pro,prolog,qm,uml,scxml}";
const COLOURS: Record<LineState, string> = {
  both: "elsewise.reached",
  one: "elsewise.partial",
  unreachable: "elsewise.unreachable",
  open: "elsewise.open",
};

interface Meant {
  campaign: string;
  finding: number;
}

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;
const decorations = new Map<LineState, vscode.TextEditorDecorationType>();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  for (const state of STATES) {
    const colour = new vscode.ThemeColor(COLOURS[state]);
    const decoration = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      borderStyle: "solid",
      borderWidth: "0 0 0 3px",
      borderColor: colour,
      overviewRulerColor: colour,
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      after: { color: colour, margin: "0 0 0 2em", fontStyle: "italic" },
    });
    decorations.set(state, decoration);
    context.subscriptions.push(decoration);
  }
  const command = (name: string, run: (...words: never[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  command("elsewise.exploreHere", exploreHere);
  command("elsewise.stopAll", () => execute("elsewise.stop", {}));
  command("elsewise.exportHere", exportHere);
  command("elsewise.restart", restart);
  command("elsewise.toggleBranches", async () => {
    const settings = vscode.workspace.getConfiguration("elsewise");
    await settings.update("branches", !settings.get("branches"), vscode.ConfigurationTarget.Global);
  });
  context.subscriptions.push(
    vscode.window.onDidChangeVisibleTextEditors(() => colourAll()),
    vscode.workspace.onDidChangeTextDocument((change) => later(change.document)),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("elsewise.path")) {
        await restart();
      } else if (change.affectsConfiguration("elsewise")) {
        await client?.sendNotification("workspace/didChangeConfiguration", { settings: settings() });
        colourAll();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function settings(): object {
  const set = vscode.workspace.getConfiguration("elsewise");
  // Colours instead of hints; what came of a command is shown here.
  return { budget: set.get("budget"), arguments: set.get("arguments"), hints: false, messages: false };
}

async function start(): Promise<void> {
  const program = vscode.workspace.getConfiguration("elsewise").get<string>("path") || "elsewise";
  const server: ServerOptions = { command: program, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ scheme: "file", language })),
      { scheme: "file", pattern: `**/*.${ENDINGS}` },
    ],
    initializationOptions: settings(),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.elsewise/findings/*/finding.json") },
    middleware: {
      executeCommand: async (command, args, next) => {
        const given = args[0] as Meant;
        switch (command) {
          case "elsewise.show":
            return show(given);
          case "elsewise.replayCommand":
            return replay(await next(command, args));
          case "elsewise.exportTest":
            return opened(await next(command, args));
          default:
            return next(command, args);
        }
      },
    },
  };
  client = new LanguageClient("elsewise", "Elsewise", server, options);
  client.onNotification("elsewise/changed", () => colourAll());
  client.onNotification("elsewise/explored", (result: { message: string; failed: boolean; findings?: number }) => {
    if (!result.failed) {
      vscode.window.setStatusBarMessage(`$(beaker) ${result.message.split("\n")[0]}`, 15000);
    }
  });
  try {
    await client.start();
  } catch {
    vscode.window.showErrorMessage(`Elsewise: "${program} lsp" cannot be started. Set elsewise.path to the program.`);
  }
}

async function restart(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.dispose();
  await start();
}

async function execute<T>(command: string, argument: object): Promise<T | undefined> {
  return client?.sendRequest<T>("workspace/executeCommand", { command, arguments: [argument] });
}

async function exploreHere(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  try {
    await execute("elsewise.explore", { uri, position: { line: editor.selection.active.line, character: 0 } });
  } catch (error) {
    vscode.window.showWarningMessage(`Elsewise: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function exportHere(): Promise<void> {
  interface Campaign {
    campaign: string;
    subject?: string;
    state?: string;
  }
  const all = (await client?.sendRequest<Campaign[]>("elsewise/campaigns")) ?? [];
  const items = all.filter((one) => one.subject).map((one) => ({ label: one.subject ?? "", description: one.state, one }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: "Campaign whose cases become tests" });
  if (picked) {
    await opened(await execute("elsewise.exportTest", { campaign: picked.one.campaign }));
  }
}

/** A finding beside its source. */
async function show(meant: Meant): Promise<void> {
  const [said, picture] = await Promise.all([
    client?.sendRequest<{ text: string }>("workspace/executeCommand", { command: "elsewise.show", arguments: [meant] }),
    client?.sendRequest<Picture | null>("elsewise/picture", meant),
  ]);
  const title = picture?.title ?? `finding ${meant.finding}`;
  if (!panel) {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    panel = vscode.window.createWebviewPanel("elsewise.finding", "Elsewise", where, {
      enableScripts: false,
      enableCommandUris: false,
      localResourceRoots: [],
    });
    panel.onDidDispose(() => (panel = undefined));
  }
  panel.title = `Finding ${meant.finding}`;
  panel.webview.html = page(title, said?.text ?? "", picture ?? null);
  panel.reveal(undefined, true);
}

function replay(said: { command: string; folder: string }): void {
  if (!isOneCommand(said.command)) {
    return;
  }
  const program = vscode.workspace.getConfiguration("elsewise").get<string>("path") || "elsewise";
  const terminal = vscode.window.createTerminal({ name: "elsewise replay", cwd: vscode.Uri.parse(said.folder) });
  terminal.show();
  terminal.sendText(withProgram(said.command, program));
}

async function opened(said: { files: string[] } | undefined): Promise<void> {
  for (const file of said?.files.slice(0, 2) ?? []) {
    await vscode.window.showTextDocument(vscode.Uri.parse(file), { preview: false });
  }
}

const waiting = new Map<string, NodeJS.Timeout>();

/** Colours a document once nothing has been typed for a moment. */
function later(document: vscode.TextDocument): void {
  const name = document.uri.toString();
  clearTimeout(waiting.get(name));
  waiting.set(
    name,
    setTimeout(() => {
      waiting.delete(name);
      vscode.window.visibleTextEditors.filter((editor) => editor.document === document).forEach((editor) => void colour(editor));
    }, 300),
  );
}

function colourAll(): void {
  vscode.window.visibleTextEditors.forEach((editor) => void colour(editor));
}

async function colour(editor: vscode.TextEditor): Promise<void> {
  const on = vscode.workspace.getConfiguration("elsewise").get<boolean>("branches");
  if (!client || editor.document.uri.scheme !== "file") {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const told = on ? await client.sendRequest<Branches | null>("elsewise/branches", { textDocument: { uri } }) : null;
  const found = byState(told?.lines ?? [], editor.document.lineCount);
  for (const [state, lines] of found) {
    const decoration = decorations.get(state);
    if (decoration) {
      const options = lines.map((line) => ({
        range: editor.document.lineAt(line.line).range,
        renderOptions: { after: { contentText: words(line) } },
      }));
      editor.setDecorations(decoration, options);
    }
  }
}
