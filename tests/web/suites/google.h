/* SPDX-License-Identifier: GPL-3.0-or-later */
/* google.h - lets the tests of Google's robots.txt parser run against Tarsier
 *
 * It stands for robots.h, gtest.h and what the tests use of absl. Each expectation prints a line:
 * "ok" or "failed", TAB, its name: the test and its number in it. Verdicts are those of the program
 * `tarsier web allowed`; all else that is said of a file comes from $SUITE_DRIVER. */
#pragma once
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace absl
{
using string_view = std::string_view;
template <typename... Parts> void StrAppend(std::string *out, const Parts &...parts)
{
	(out->append(std::string_view(parts)), ...);
}
template <typename... Parts> std::string StrCat(const Parts &...parts)
{
	std::string out;
	StrAppend(&out, parts...);
	return out;
}
} // namespace absl

namespace suite
{
inline std::string test;
inline int number;

inline void expect(bool good)
{
	std::printf("%s\t%s#%d\n", good ? "ok" : "failed", test.c_str(), ++number);
}

inline std::vector<std::pair<std::string, std::function<void()>>> &tests()
{
	static std::vector<std::pair<std::string, std::function<void()>>> all;
	return all;
}

struct Registered {
	Registered(const char *name, std::function<void()> run)
	{
		tests().emplace_back(name, run);
	}
};

inline std::string quoted(std::string_view text)
{
	std::string out = "'";
	for (char c : text)
		out += c == '\'' ? std::string("'\\''") : std::string(1, c);
	return out + "'";
}

inline std::string path(const char *name)
{
	return std::string(std::getenv("TEST_TMP")) + "/" + name;
}

inline void write(const std::string &file, std::string_view bytes)
{
	std::ofstream(file, std::ios::binary).write(bytes.data(), (std::streamsize)bytes.size());
}

inline std::string output_of(const std::string &command)
{
	std::string out;
	char bytes[4096];
	FILE *pipe = popen(command.c_str(), "r");
	for (size_t n; pipe && (n = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;)
		out.append(bytes, n);
	if (!pipe || pclose(pipe) != 0)
		std::fprintf(stderr, "failed: %s\n", command.c_str());
	return out;
}
} // namespace suite

namespace googlebot
{
class RobotsMatcher
{
      public:
	static bool IsValidUserAgentToObey(std::string_view agent)
	{
		return !RobotsMatcher().OneAgentAllowedByRobots(
		        absl::StrCat("User-agent: ", agent, "\nDisallow: /\n"), std::string(agent),
		        "http://a.test/");
	}
	bool OneAgentAllowedByRobots(
	        std::string_view robots, const std::string &agent, const std::string &url)
	{
		suite::write(suite::path("robots.txt"), robots);
		suite::write(suite::path("url"), url + "\n");
		return suite::output_of(
		               "tarsier web allowed --robots=" + suite::path("robots.txt") +
		               " --agent=" + suite::quoted(agent) + " <" + suite::path("url"))
		               .rfind("allow", 0) == 0;
	}
};

class RobotsParseHandler
{
      public:
	virtual ~RobotsParseHandler() = default;
	virtual void HandleRobotsStart() = 0;
	virtual void HandleRobotsEnd() = 0;
	virtual void HandleUserAgent(int line, absl::string_view value) = 0;
	virtual void HandleAllow(int line, absl::string_view value) = 0;
	virtual void HandleDisallow(int line, absl::string_view value) = 0;
	virtual void HandleSitemap(int line, absl::string_view value) = 0;
	virtual void HandleUnknownAction(
	        int line, absl::string_view action, absl::string_view value) = 0;
};

/* Numbers of lines are not told: they are 0. */
inline std::string GetPathParamsQuery(const std::string &url)
{
	suite::write(suite::path("url"), url);
	return suite::output_of(
	        std::string(std::getenv("SUITE_DRIVER")) + " path <" + suite::path("url"));
}

inline std::string said(std::string_view robots)
{
	suite::write(suite::path("robots.txt"), robots);
	return suite::output_of(std::string(std::getenv("SUITE_DRIVER")) + " robots foo <" +
	                        suite::path("robots.txt"));
}

inline bool MaybeEscapePattern(const char *pattern, char **escaped)
{
	std::string out = said(absl::StrCat("User-agent: foo\nAllow: ", pattern, "\n"));
	size_t at = out.find("\nallow ");
	std::string value =
	        at == std::string::npos ? "" : out.substr(at + 7, out.find('\n', at + 7) - at - 7);
	*escaped = new char[value.size() + 1];
	value.copy(*escaped, value.size());
	(*escaped)[value.size()] = '\0';
	return true;
}

inline void ParseRobotsTxt(std::string_view robots, RobotsParseHandler *handler)
{
	std::string out = said(robots);
	handler->HandleRobotsStart();
	for (size_t at = 0, end; (end = out.find('\n', at)) != std::string::npos; at = end + 1) {
		std::string_view line(out.data() + at, end - at);
		size_t space = line.find(' ');
		std::string_view kind = line.substr(0, space), value = line.substr(space + 1);
		if (kind == "agent")
			handler->HandleUserAgent(0, value);
		else if (kind == "allow")
			handler->HandleAllow(0, value);
		else if (kind == "disallow")
			handler->HandleDisallow(0, value);
		else if (kind == "sitemap")
			handler->HandleSitemap(0, value);
	}
	handler->HandleRobotsEnd();
}
} // namespace googlebot

#define TEST(group, name)                                                                          \
	static void test_##name();                                                                 \
	static suite::Registered registered_##name(#name, test_##name);                            \
	static void test_##name()
#define EXPECT_TRUE(value) suite::expect(value)
#define EXPECT_FALSE(value) suite::expect(!(value))
#define EXPECT_EQ(one, other) suite::expect((one) == (other))
#define ASSERT_GE(one, other) ((void)((one) >= (other)))

int main()
{
	for (const auto &[name, run] : suite::tests()) {
		suite::test = name;
		suite::number = 0;
		run();
	}
}
