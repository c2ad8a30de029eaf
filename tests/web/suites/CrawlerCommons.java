// SPDX-License-Identifier: GPL-3.0-or-later
// CrawlerCommons.java - lets tests of crawler-commons run against Tarsier.
//
// It is cut at each line "// ==== PATH" into the files that stand for JUnit and for the classes that
// the tests are about: here those of robots.txt, and all that the others need too. An assertion prints
// a line and lets the test go on: "ok" or "failed", TAB, its name: method, case of its parameters,
// number in it. Verdicts are those of a crawl; they, delays and sitemaps come from $SUITE_DRIVER.
// ==== org/junit/jupiter/api/Test.java
package org.junit.jupiter.api;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface Test {}
// ==== org/junit/jupiter/params/ParameterizedTest.java
package org.junit.jupiter.params;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface ParameterizedTest {}
// ==== org/junit/jupiter/params/provider/CsvSource.java
package org.junit.jupiter.params.provider;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface CsvSource { String[] value(); }
// ==== org/junit/jupiter/api/function/Executable.java
package org.junit.jupiter.api.function;
public interface Executable { void execute() throws Throwable; }
// ==== org/junit/jupiter/api/Assertions.java
package org.junit.jupiter.api;
import java.util.Arrays;
import java.util.Objects;
public class Assertions {
	public static String test;
	public static int number;

	public static void tell(boolean good, Object... why) {
		System.out.println((good ? "ok" : "failed") + "\t" + test + "#" + ++number + (good ? "" : "\t" + Arrays.toString(why).replaceAll("\\s", " ")));
	}
	static boolean present(Object value) { return value != null && value != crawlercommons.robots.RobotsExtensionData.ABSENT; }
	public static void assertTrue(boolean value, String... why) { tell(value, (Object[]) why); }
	public static void assertFalse(boolean value, String... why) { tell(!value, (Object[]) why); }
	public static void assertNull(Object value, String... why) { tell(!present(value), (Object[]) why); }
	public static void assertNotNull(Object value, String... why) { tell(present(value), (Object[]) why); }
	public static void assertEquals(long one, long other) { tell(one == other, one, other); }
	public static void assertEquals(long one, long other, String why) { tell(one == other, one, other); }
	public static void assertEquals(Long one, long other, String why) { tell(one == other, one, other); }
	public static void assertEquals(double one, double other, double most) { tell(Math.abs(one - other) <= most, one, other); }
	public static void assertEquals(double one, double other, double most, String why) { tell(Math.abs(one - other) <= most, one, other); }
	public static void assertSame(Object one, Object other, String why) { tell(one == other, one, other); }
	public static void assertEquals(Object one, Object other) { tell(Objects.equals(one, other), one, other); }
	public static void assertEquals(Object one, Object other, String why) { tell(Objects.equals(one, other), one, other); }
	public static void assertNotEquals(Object one, Object other, String... why) { tell(!Objects.equals(one, other), one, other); }
	public static void assertArrayEquals(Object[] one, Object[] other) { tell(Arrays.equals(one, other), one, other); }
	public static void assertThrows(Class<? extends Throwable> kind, org.junit.jupiter.api.function.Executable run) {
		Throwable thrown = null;
		try { run.execute(); } catch (Throwable t) { thrown = t; }
		tell(kind.isInstance(thrown), kind, thrown);
	}
	public static void fail(String why, Throwable thrown) { tell(false, why, thrown); }
	public static void fail(String why) { tell(false, why); }
}
// ==== suite/Run.java
package suite;
import java.lang.reflect.*;
import java.util.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.provider.CsvSource;
public class Run {
	static List<String> cells(String line) {
		List<String> cells = new ArrayList<>();
		for (String cell : line.split(",", -1))
			cells.add(cell.trim());
		return cells;
	}
	static void run(Method method, String name, Object... values) throws Exception {
		Constructor<?> make = method.getDeclaringClass().getDeclaredConstructor();
		make.setAccessible(true);
		method.setAccessible(true);
		Assertions.test = name;
		Assertions.number = 0;
		try {
			method.invoke(make.newInstance(), values);
		} catch (InvocationTargetException e) {
			Assertions.tell(false, e.getCause());
		}
	}
	static void runAll(Method method) throws Exception {
		CsvSource source = method.getAnnotation(CsvSource.class);
		if (method.isAnnotationPresent(Test.class))
			run(method, method.getName());
		for (int i = 0; source != null && i < source.value().length; i++) {
			List<String> cells = cells(source.value()[i]);
			Object[] values = new Object[method.getParameterCount()];
			for (int k = 0; k < values.length; k++)
				values[k] = method.getParameterTypes()[k] == boolean.class ? (Object) Boolean.parseBoolean(cells.get(k).toLowerCase()) : cells.get(k);
			run(method, method.getName() + "[" + i + "]", values);
		}
	}
	public static void main(String[] classes) throws Exception {
		for (String name : classes) {
			Method[] methods = Class.forName(name).getDeclaredMethods();
			Arrays.sort(methods, Comparator.comparing(Method::getName));
			for (Method method : methods)
				runAll(method);
		}
	}
}
// ==== suite/Tool.java
package suite;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
public class Tool {
	static String run(byte[] input, String... words) {
		try {
			Process process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			try (OutputStream out = process.getOutputStream()) { out.write(input); } catch (IOException e) { /* it wants no more */ }
			String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			process.waitFor();
			return text;
		} catch (Exception e) { throw new RuntimeException(e); }
	}
	/** As a crawl judges: in canonical form, as the tests want it. */
	public static boolean allowed(byte[] robots, String agent, String url) {
		return run(robots, System.getenv("SUITE_DRIVER"), "verdict", agent, url).startsWith("allow");
	}
	public static String canonical(String url) {
		String form = run((url + "\n").getBytes(StandardCharsets.UTF_8), "tarsier", "web", "canonical").split("\t")[0];
		return form.equals("invalid") ? null : form;
	}
	/** The values of this kind. */
	public static List<String> said(byte[] robots, String agent, String kind) {
		List<String> values = new ArrayList<>();
		for (String line : run(robots, System.getenv("SUITE_DRIVER"), "robots", agent).split("\n"))
			if (line.startsWith(kind + " "))
				values.add(line.substring(kind.length() + 1));
		return values;
	}
}
// ==== crawlercommons/filters/basic/BasicURLNormalizer.java
package crawlercommons.filters.basic;
public class BasicURLNormalizer {
	public String filter(String url) { return suite.Tool.canonical(url); }
}
// ==== crawlercommons/robots/BaseRobotRules.java
package crawlercommons.robots;
import java.net.URL;
import java.util.*;
public abstract class BaseRobotRules implements java.io.Serializable {
	public static final long UNSET_CRAWL_DELAY = Long.MIN_VALUE;
	public abstract boolean isAllowed(String url);
	public boolean isAllowed(URL url) { return isAllowed(url.toString()); }
	public abstract long getCrawlDelay();
	public abstract List<String> getSitemaps();
	public abstract boolean isDeferVisits();
	public abstract boolean isMatchedWildcard();
}
// ==== crawlercommons/robots/BaseRobotsParser.java
package crawlercommons.robots;
import java.util.*;
public abstract class BaseRobotsParser {
	public abstract SimpleRobotRules parseContent(String url, byte[] robots, String type, String agent);
	public abstract SimpleRobotRules parseContent(String url, byte[] robots, String type, Collection<String> agents);
}
// ==== crawlercommons/robots/RobotsExtension.java
package crawlercommons.robots;
public enum RobotsExtension { LLM_POLICY, CONTENT_SIGNALS, HOST, REQUEST_RATE, VISIT_TIME, COMMENT, NO_INDEX, ROBOT_VERSION, CLEAN_PARAM }
// ==== crawlercommons/robots/RobotsExtensionData.java
package crawlercommons.robots;
import java.util.*;
/** Extensions are not read. */
public class RobotsExtensionData {
	public static final RobotsExtensionData ABSENT = new RobotsExtensionData();
	public List<String> getValues() {
		return new AbstractList<String>() {
			public String get(int i) { return null; }
			public int size() { return -1; }
		};
	}
	public Map<String, String[]> asMap() { return Map.of(); }
}
// ==== crawlercommons/robots/SimpleRobotRules.java
package crawlercommons.robots;
import java.nio.charset.StandardCharsets;
import java.util.*;
public class SimpleRobotRules extends BaseRobotRules {
	public enum RobotRulesMode { ALLOW_ALL, ALLOW_NONE, ALLOW_SOME }
	byte[] robots = "User-agent: *\n".getBytes(StandardCharsets.UTF_8);
	String agent = "anybot";
	boolean defer;
	RobotRulesMode mode = RobotRulesMode.ALLOW_SOME;

	public SimpleRobotRules() {}
	public SimpleRobotRules(RobotRulesMode mode) { this.mode = mode; append(mode == RobotRulesMode.ALLOW_NONE ? "Disallow: /" : ""); }
	SimpleRobotRules(byte[] robots, String agent) { this.robots = robots; this.agent = agent; }
	private void append(String line) { robots = (new String(robots, StandardCharsets.UTF_8) + line + "\n").getBytes(StandardCharsets.UTF_8); }
	public void addRule(String path, boolean allow) { append((allow ? "Allow: " : "Disallow: ") + path); }
	public void addSitemap(String url) { append("Sitemap: " + url); }
	public void sortRules() {}
	public boolean isAllowAll() { return mode == RobotRulesMode.ALLOW_ALL; }
	public boolean isAllowNone() { return mode == RobotRulesMode.ALLOW_NONE; }
	public boolean isAllowed(String url) { return suite.Tool.allowed(robots, agent, url); }
	public long getCrawlDelay() {
		double seconds = Double.parseDouble(suite.Tool.said(robots, agent, "delay").get(0));
		return seconds < 0 ? UNSET_CRAWL_DELAY : Math.round(seconds * 1000);
	}
	public List<String> getSitemaps() { return suite.Tool.said(robots, agent, "sitemap"); }
	public boolean isDeferVisits() { return defer; }
	/** Is nothing said for this agent? Then a group of its own, which would replace the others, makes a difference. */
	public boolean isMatchedWildcard() { return suite.Tool.said(robots, agent, "agent").stream().noneMatch(name -> name.equalsIgnoreCase(agent)); }
	public List<String> getRobotRules() {
		List<String> rules = new ArrayList<>(suite.Tool.said(robots, agent, "allow"));
		rules.addAll(suite.Tool.said(robots, agent, "disallow"));
		return rules;
	}
	public Set<RobotsExtension> getExtensions() { return Set.of(); }
	public RobotsExtensionData getExtensionData(RobotsExtension extension) { return RobotsExtensionData.ABSENT; }
}
// ==== crawlercommons/robots/SimpleRobotRulesParser.java
package crawlercommons.robots;
import java.util.*;
public class SimpleRobotRulesParser extends BaseRobotsParser {
	public void setExactUserAgentMatching(boolean exact) {}
	public void enableExtension(RobotsExtension extension) {}
	public void enableAllExtensions() {}
	public Set<RobotsExtension> getEnabledExtensions() { return Set.of(); }
	/** Warnings are not counted. */
	public int getNumWarnings() { return -1; }
	protected boolean userAgentProductTokenPartialMatch(String agent, Collection<String> targets) { return false; }
	public SimpleRobotRules parseContent(String url, byte[] robots, String type, String agent) { return new SimpleRobotRules(robots, agent); }
	/** One agent is asked for: the first one. */
	public SimpleRobotRules parseContent(String url, byte[] robots, String type, Collection<String> agents) {
		return parseContent(url, robots, type, agents.isEmpty() ? "anybot" : agents.iterator().next());
	}
	public SimpleRobotRules failedFetch(int status) { throw new UnsupportedOperationException("the frontier does this"); }
	public static Collection<String> sanitizeRobotNames(Collection<String> names) {
		List<String> clean = new ArrayList<>();
		for (String name : names)
			if (!name.equals("*"))
				clean.add(name.toLowerCase(Locale.ROOT));
		return clean;
	}
	public static boolean isValidUserAgentToObey(String name) { return name != null && !suite.Tool.allowed(("User-agent: " + name + "\nDisallow: /\n").getBytes(java.nio.charset.StandardCharsets.UTF_8), name, "http://a.test/"); }
}
