/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-commands.c - commands and their options of several letters after one minus
 *
 * "openssl x509 -noout -text" excludes nothing, but "java -island" does. Only options that a
 * command is known to have tell one, and one more sign does: the option stands directly after the
 * command, there is a second one, a value that nobody writes in a query, or the option looks like
 * no word. The last does not count after a command that is a word of a language ("make"). */
#include <config.h>
#include "index/query/query-private.h"
#include <string.h>

static const char compiler_options[] =
        "Wall Wextra Werror Wpedantic Wshadow Wno-* W*-* Wl,* std=* f*-* fPIC fsanitize=* m*=* Os "
        "Og g3 ggdb lm lpthread lcrypto lssl lcurl shared static pthread";

/* options: without the minus, as patterns (g_pattern_match_simple). letters: those of options that
 * may stand together ("-tulpen"). */
static const struct {
	const char *name;
	bool word; /* it is also a word of a language */
	const char *letters, *options;
} commands_known[] = {
        {"apt-get", false, "yqs", ""},
        {"bash", true, "", "xe ex eu euo eux euxo lc ic"},
        {"cat", true, "", "An vET ETv vT"},
        {"cc", true, "", compiler_options},
        {"clang", false, "", compiler_options},
        {"cmake", false, "", "D*=* GNinja"},
        {"convert", true, "",
                "resize quality density crop rotate strip append quiet depth trim negate "
                "auto-orient colorspace background flatten alpha geometry thumbnail"},
        {"curl", true, "fsSLkivIOo", ""},
        {"cut", true, "", ""},
        {"date", true, "", "Iseconds Is Iminutes Ru"},
        {"df", false, "hTiPka", ""},
        {"diff", true, "", "ru rq rN ruN Naur urN uNr Nru rupN"},
        {"dmesg", false, "TwHlkxe", ""},
        {"docker", false, "itd", ""},
        {"du", true, "", "sh sch csh hs ah sk sm"},
        {"ffmpeg", false, "",
                "vf af vn an sn crf preset vcodec acodec filter_complex filter:* c:* b:* map ss to "
                "codec codec:* t hide_banner loglevel framerate pix_fmt movflags vframes q:* re"},
        {"ffplay", false, "", "autoexit nodisp loop vf hide_banner"},
        {"ffprobe", false, "", "show_streams show_format show_entries hide_banner print_format of"},
        {"find", true, "",
                "name iname path ipath wholename regex iregex type mtime mmin ctime cmin atime "
                "amin newer size empty delete exec execdir ok print print0 printf maxdepth "
                "mindepth prune not user group perm xdev mount follow depth ls quit links inum "
                "nouser nogroup executable readable writable samefile"},
        {"free", true, "", "mh ht mt"},
        {"g++", false, "", compiler_options},
        {"gcc", false, "", compiler_options},
        {"git", true, "", "am amend ca sb vv fd fdx dfx xdf"},
        {"go", true, "", "race run bench count timeout cover coverprofile=* ldflags mod=* short"},
        {"gpg", false, "", "ao se sea kv"},
        {"grep", false, "rniEFlcvowHhLqIaPRsz", ""},
        {"gs", false, "",
                "dBATCH dNOPAUSE dSAFER dQUIET dPDFSETTINGS=* sDEVICE=* sOutputFile=* dCompat*"},
        {"gzip", false, "dkcv", ""},
        {"head", true, "", ""},
        {"ip", true, "", "br brief details stats color json"},
        {"java", true, "",
                "jar cp classpath version nogui server Xm[xsn]* Xss* XX:* D*=* ea enableassertions "
                "javaagent:* verbose:* showversion"},
        {"javac", false, "", "cp classpath source target encoding Xlint Xlint:* sourcepath"},
        {"journalctl", false, "xeubfkrn", ""},
        {"keytool", false, "",
                "list import export genkey genkeypair keystore alias file storepass keyalg keysize "
                "validity trustcacerts importcert exportcert delete"},
        {"kill", true, "", "HUP KILL TERM INT STOP CONT USR[12] SIG*"},
        {"killall", false, "", "HUP KILL TERM INT STOP CONT USR[12] SIG*"},
        {"kubectl", false, "", "it ti owide oyaml ojson oname nkube-system"},
        {"latexmk", false, "", "pdf pvc xelatex lualatex interaction=*"},
        {"less", true, "", "SR RS"},
        {"ls", false, "lahtrSRFdisAGoX1", ""},
        {"lsblk", false, "fmpo", ""},
        {"lsof", false, "nPiptu", ""},
        {"lspci", false, "vnk", ""},
        {"lsusb", false, "vt", ""},
        {"magick", false, "",
                "resize quality density crop rotate strip append depth trim negate auto-orient "
                "colorspace background flatten alpha geometry thumbnail"},
        {"make", true, "", "sj jB kj Bn sC"},
        {"mount", true, "", "rw ro av"},
        {"mvn", false, "", "DskipTests D*=* pl am amd ntp"},
        {"mysql", false, "", "uroot"},
        {"mysqldump", false, "", "uroot"},
        {"nc", false, "zvlnupk", ""},
        {"netstat", false, "tulpenarsio", ""},
        {"nmap", false, "", "sV sS sT sU sP sn sC Pn oA oN oX p- T[0-5] script"},
        {"openssl", false, "",
                "in out noout text x509 newkey nodes days key inkey certfile keyout subj req "
                "pubkey "
                "pubin pubout passin passout export connect servername showcerts starttls inform "
                "outform fingerprint enddate dates startdate issuer subject modulus checkend "
                "CAfile CApath CA CAkey CAcreateserial verify aes256 aes-256-cbc des3 sha256 sha1 "
                "md5 pbkdf2 salt base64 hex rand config extensions extfile nokeys nocerts cacerts "
                "clcerts aes128 legacy info sign signature verify_return_error"},
        {"patch", true, "", ""},
        {"pdflatex", false, "",
                "interaction=* shell-escape halt-on-error output-directory=* synctex=*"},
        {"pdftotext", false, "", "layout raw enc nopgbrk htmlmeta bbox"},
        {"perl", true, "", "pi pie ne pe le lne lane ane MCPAN"},
        {"pip", false, "", "Ur"},
        {"ps", false, "auxefwlLZ", ""},
        {"psql", false, "", "Upostgres"},
        {"pytest", false, "xvsqk", ""},
        {"python3", false, "", "mvenv mpip mhttp.server"},
        {"qemu-system-x86_64", false, "",
                "m hda cdrom boot enable-kvm smp cpu nographic drive netdev device display"},
        {"rsync", false, "avzPrnhuxHAXSltgoDpi", ""},
        {"scp", false, "rpCqv", ""},
        {"sed", false, "", "ri ni nr ie nE Ei"},
        {"setxkbmap", false, "", "layout variant option model query print"},
        {"sort", true, "", "nr rn hr rh un nu ru ur rnk"},
        {"ss", true, "tulpnaexos4", ""},
        {"ssh", false, "NfLRDAXYCTtv", ""},
        {"ssh-keygen", false, "", "lf yf lv"},
        {"strace", false, "", "ff tt yy ttt"},
        {"tail", true, "", "fn nf"},
        {"tar", true, "", ""},
        {"terraform", false, "",
                "auto-approve var var-file var-file=* out out=* target target=* destroy upgrade "
                "reconfigure input=* lock=* chdir=* refresh-only backend-config=* recursive"},
        {"tree", true, "", "aL dL aC"},
        {"uniq", false, "cdui", ""},
        {"unzip", false, "", "qq oq qo ov"},
        {"usermod", false, "aG", ""},
        {"wc", false, "lwcm", ""},
        {"wget", false, "qcNrpkEOL", "nc nv nd np qO-"},
        {"xargs", false, "0rIn", ""},
        {"xclip", false, "", "sel selection o i"},
        {"xinput", false, "", "list list-props set-prop"},
        {"xmodmap", false, "", "pke pm pp"},
        {"xrandr", false, "", "q output mode"},
        {"xset", false, "", "dpms b c r led q"},
        {"xsetroot", false, "", "solid cursor_name name"},
        {"yt-dlp", false, "", "xf"},
        {"zip", true, "", "qr re er ry rq"},
};

/* Commands whose first word is the name of another one. */
static const struct {
	const char *name, *first;
} subcommands[] = {
        {"docker", "run exec create"},
        {"git", "add branch checkout clean commit diff fetch log merge push reset show stash tag"},
        {"go", "build get install list mod run test vet"},
        {"kubectl", "apply exec get logs run"},
        {"openssl", "ca ciphers crl dgst dhparam ec ecparam enc genpkey genrsa passwd pkcs12 pkcs7 "
                    "pkcs8 pkey rand req rsa s_client s_server smime speed verify version x509"},
        {"pip", "install uninstall download"},
        {"terraform", "apply destroy fmt import init output plan state validate"},
};

enum { N_COMMANDS = G_N_ELEMENTS(commands_known), MOST_COMMAND_LETTERS = 8 };

static bool command_has_letters(const char *letters, const char *option)
{
	size_t length = strlen(option);
	if (length < 2 || length > MOST_COMMAND_LETTERS || strspn(option, letters) < length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (option[i] != 'v' && strchr(option + i + 1, option[i]))
			return false;
	return true;
}

/* "-xzf", "-cvf": one of what tar does, and the letter of its file. */
static bool is_option_of_tar(const char *option)
{
	static const char actions[] = "cxtru";
	size_t length = strlen(option), action = strcspn(option, actions);
	return length > 1 && strspn(option, "cxtruzjJvfpahkC") == length && strchr(option, 'f') &&
	       action < length && !strpbrk(option + action + 1, actions) &&
	       command_has_letters("cxtruzjJvfpahkC", option);
}

/* "-j4", "-n20". */
static bool is_letter_with_number(const char *option)
{
	enum { MOST_NUMBER = 5 };
	size_t digits = g_ascii_isalpha(*option) ? strspn(option + 1, "0123456789") : 0;
	return digits > 0 && digits < MOST_NUMBER && option[1 + digits] == '\0';
}

static bool command_has_option(size_t command, const char *option)
{
	g_auto(GStrv) options = g_strsplit(commands_known[command].options, " ", -1);
	for (char **known = options; *known; known++)
		if (**known && g_pattern_match_simple(*known, option))
			return true;
	return command_has_letters(commands_known[command].letters, option) ||
	       is_letter_with_number(option) ||
	       (strcmp(commands_known[command].name, "tar") == 0 && is_option_of_tar(option));
}

/* A value that nobody writes in a query: ".", "+7", a path, the name of a file, a pattern. */
static bool is_value_of_command(const char *word)
{
	const char *point = strrchr(word, '.');
	if (strcmp(word, ".") == 0 || *word == '/' || strchr("'+", *word) ||
	        g_str_has_prefix(word, "./") || g_str_has_prefix(word, "~/"))
		return true;
	if (word[strcspn(word, "*={}")] || g_str_has_suffix(word, "/"))
		return true;
	size_t extension = point && point > word ? strlen(point + 1) : 0;
	return extension > 0 && extension <= 5 && g_ascii_isalpha(point[1]);
}

/* The command of this name, which a path may stand before; N_COMMANDS: it is not known. */
static size_t command_find(const char *word)
{
	const char *slash = strrchr(word, '/');
	const char *name = slash && *word == '/' ? slash + 1 : word;
	size_t i = 0;
	while (i < N_COMMANDS && strcmp(commands_known[i].name, name) != 0)
		i++;
	return i;
}

/* The words of the text from the command on. The caller unrefs the list; the words are those of
 * split. */
static GPtrArray *words_of_command(char **split)
{
	GPtrArray *words = g_ptr_array_new();
	for (char **word = split; *word; word++) {
		bool before = strcmp(*word, "sudo") == 0 || strcmp(*word, "#") == 0;
		if (**word && (words->len > 0 || !before))
			g_ptr_array_add(words, *word);
	}
	return words;
}

static bool is_subcommand(const char *command, const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		if (strcmp(subcommands[i].name, command) != 0)
			continue;
		g_auto(GStrv) first = g_strsplit(subcommands[i].first, " ", -1);
		return g_strv_contains((const char *const *)first, word);
	}
	return false;
}

/* "-Wall", "-auto-approve", "-o4": it is no word of a language. */
static bool is_odd_option(const char *option)
{
	for (; *option; option++)
		if (!g_ascii_islower(*option))
			return true;
	return false;
}

bool query_is_known_command(const char *text)
{
	g_auto(GStrv) split = g_strsplit_set(text, " \t\n\r", -1);
	g_autoptr(GPtrArray) words = words_of_command(split);
	size_t command = words->len > 1 ? command_find(words->pdata[0]) : N_COMMANDS;
	unsigned options = 0, values = 0;
	bool direct = false, odd = false, after_option = false;
	if (command == N_COMMANDS)
		return false;
	const char *name = commands_known[command].name;
	for (guint i = 1; i < words->len; i++) {
		const char *word = words->pdata[i];
		values += is_value_of_command(word) || (after_option && *word == '"');
		after_option = *word == '-' && command_has_option(command, word + 1);
		options += after_option;
		odd |= after_option && is_odd_option(word + 1);
		direct |= after_option &&
		          (i == 1 || (i == 2 && is_subcommand(name, words->pdata[1])));
	}
	odd &= !commands_known[command].word;
	return options > 0 && (odd || direct || options > 1 || values > 0);
}
