// SPDX-License-Identifier: GPL-3.0-or-later
// CrawlerCommonsSitemaps.java - lets the sitemap tests of crawler-commons run against Tarsier.
//
// It is cut and compiled together with CrawlerCommons.java. Entries, dates and priorities are those of
// the program `tarsier web sitemap`, which tells neither the kind of a sitemap nor its own date.
// ==== org/junit/jupiter/api/BeforeEach.java
package org.junit.jupiter.api;
public @interface BeforeEach {}
// ==== org/junit/jupiter/api/AfterEach.java
package org.junit.jupiter.api;
public @interface AfterEach {}
// ==== org/apache/commons/io/IOUtils.java
package org.apache.commons.io;
public class IOUtils {
	public static byte[] toByteArray(java.io.InputStream in) throws java.io.IOException { return in.readAllBytes(); }
}
// ==== suite/Entries.java
package suite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
/** What the program reads from a sitemap. */
public class Entries {
	public final List<Map<String, String>> list = new ArrayList<>();
	public final int status;

	public Entries(byte[] sitemap) {
		try {
			Path file = Paths.get(System.getenv("TEST_TMP"), "sitemap");
			Files.write(file, sitemap);
			Process process = new ProcessBuilder("tarsier", "web", "sitemap", file.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			process.getOutputStream().close();
			String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			status = process.waitFor();
			for (String line : out.split("\n"))
				if (!line.isEmpty())
					list.add(read(line));
		} catch (IOException | InterruptedException e) { throw new RuntimeException(e); }
	}
	/** A flat object of JSON. */
	static Map<String, String> read(String line) {
		Map<String, String> values = new HashMap<>();
		Matcher pair = Pattern.compile("\"(\\w+)\":\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([-+.\\w]+))").matcher(line);
		while (pair.find())
			if (pair.group(2) != null)
				values.put(pair.group(1), unescape(pair.group(2)));
			else if (!pair.group(3).equals("null"))
				values.put(pair.group(1), pair.group(3));
		return values;
	}
	static String unescape(String text) {
		Matcher escape = Pattern.compile("\\\\(?:u(....)|(.))").matcher(text);
		return escape.replaceAll(m -> Matcher.quoteReplacement(m.group(1) != null ? String.valueOf((char) Integer.parseInt(m.group(1), 16)) : m.group(2)));
	}
	static String escape(String text) { return text.replace("&", "&amp;").replace("<", "&lt;"); }
	/** What the program makes of one value of an entry. */
	public static String value(String element, String text, String key) {
		String entry = element.equals("pubDate") ? "<rss version='2.0'><channel><item><link>http://a.test/</link><pubDate>" + escape(text) + "</pubDate></item></channel></rss>"
			: "<urlset><url><loc>http://a.test/</loc><" + element + ">" + escape(text) + "</" + element + "></url></urlset>";
		return new Entries(entry.getBytes(StandardCharsets.UTF_8)).list.get(0).get(key);
	}
}
// ==== crawlercommons/filters/URLFilter.java
package crawlercommons.filters;
public abstract class URLFilter {
	public abstract String filter(String url);
}
// ==== crawlercommons/filters/basic/BasicURLNormalizer.java
package crawlercommons.filters.basic;
public class BasicURLNormalizer extends crawlercommons.filters.URLFilter {
	public String filter(String url) { return suite.Tool.canonical(url); }
}
// ==== crawlercommons/sitemaps/UnknownFormatException.java
package crawlercommons.sitemaps;
public class UnknownFormatException extends Exception {
	public UnknownFormatException(String why) { super(why); }
}
// ==== crawlercommons/sitemaps/AbstractSiteMap.java
package crawlercommons.sitemaps;
import java.io.Serializable;
import java.net.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
public abstract class AbstractSiteMap implements Serializable {
	public enum SitemapType { INDEX, XML, ATOM, RSS, TEXT }
	public static final ZoneId TIME_ZONE_UTC = ZoneOffset.UTC;
	public static final DateTimeFormatter W3C_FULLDATE_FORMATTER_UTC = DateTimeFormatter.ISO_INSTANT.withZone(TIME_ZONE_UTC);
	protected URL url;
	Date date;
	boolean processed;

	static URL makeUrl(String text) {
		try { return new URL(text); } catch (MalformedURLException e) { return null; }
	}
	static Date makeDate(String told) { return told == null ? null : Date.from(OffsetDateTime.parse(told.contains("T") ? told : told + "T00:00:00Z").toInstant()); }
	public static Date convertToDate(String text) { return text == null ? null : makeDate(suite.Entries.value("lastmod", text, "lastmod")); }
	public static ZonedDateTime convertToZonedDateTime(String text) {
		Date date = convertToDate(text);
		return date == null ? null : date.toInstant().atZone(TIME_ZONE_UTC);
	}
	/** A text that is no date stays as it is. */
	public static String normalizeRSSTimestamp(String text) {
		String told = text == null ? null : suite.Entries.value("pubDate", text, "lastmod");
		return told == null ? text : told;
	}
	/** It is not told. */
	public SitemapType getType() { return null; }
	public abstract boolean isIndex();
	public boolean isProcessed() { return processed; }
	public URL getUrl() { return url; }
	public Date getLastModified() { return date; }
	public String toString() { return url + " " + (date == null ? "" : date.toInstant()); }
}
// ==== crawlercommons/sitemaps/SiteMap.java
package crawlercommons.sitemaps;
import java.util.*;
public class SiteMap extends AbstractSiteMap {
	final List<SiteMapURL> urls = new ArrayList<>();
	public SiteMap(String url) { this.url = makeUrl(url); }
	public SiteMap(String url, String date) { this(url); this.date = convertToDate(date); }
	public boolean isIndex() { return false; }
	public Collection<SiteMapURL> getSiteMapUrls() { return urls; }
	public String getBaseUrl() { throw new UnsupportedOperationException("whoever asks for a sitemap knows where it lies"); }
}
// ==== crawlercommons/sitemaps/SiteMapIndex.java
package crawlercommons.sitemaps;
import java.net.URL;
import java.util.*;
public class SiteMapIndex extends AbstractSiteMap {
	final List<AbstractSiteMap> sitemaps = new ArrayList<>();
	public boolean isIndex() { return true; }
	public void addSitemap(AbstractSiteMap sitemap) { sitemaps.add(sitemap); }
	public Collection<AbstractSiteMap> getSitemaps() { return sitemaps; }
	public Collection<AbstractSiteMap> getSitemaps(boolean once) {
		Map<String, AbstractSiteMap> first = new LinkedHashMap<>();
		for (AbstractSiteMap each : sitemaps)
			first.putIfAbsent(String.valueOf(each.getUrl()), each);
		return once ? first.values() : sitemaps;
	}
	public AbstractSiteMap getSitemap(URL url) {
		for (AbstractSiteMap each : sitemaps)
			if (url != null && each.getUrl() != null && each.getUrl().toString().equals(url.toString()))
				return each;
		return null;
	}
}
// ==== crawlercommons/sitemaps/SiteMapURL.java
package crawlercommons.sitemaps;
import java.io.Serializable;
import java.net.URL;
import java.util.*;
public class SiteMapURL implements Serializable {
	public static final double DEFAULT_PRIORITY = 0.5;
	public enum ChangeFrequency { ALWAYS, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY, NEVER }
	final URL url;
	Date date;
	ChangeFrequency frequency;
	double priority = DEFAULT_PRIORITY;

	public SiteMapURL(String url, boolean valid) { this.url = AbstractSiteMap.makeUrl(url); }
	SiteMapURL(Map<String, String> told) {
		this(told.get("loc"), true);
		date = AbstractSiteMap.makeDate(told.get("lastmod"));
		frequency = told.containsKey("changefreq") ? ChangeFrequency.valueOf(told.get("changefreq").toUpperCase(Locale.ROOT)) : null;
		priority = priorityOf(told.get("priority"));
	}
	static double priorityOf(String told) { return told == null ? DEFAULT_PRIORITY : Double.parseDouble(told); }
	public void setPriority(double value) { setPriority(String.valueOf(value)); }
	public void setPriority(String text) { priority = priorityOf(suite.Entries.value("priority", text, "priority")); }
	public double getPriority() { return priority; }
	public URL getUrl() { return url; }
	public Date getLastModified() { return date; }
	public ChangeFrequency getChangeFrequency() { return frequency; }
	/** An address is not compared with that of the sitemap. */
	public boolean isValid() { return true; }
	public boolean equals(Object other) { return other instanceof SiteMapURL && String.valueOf(url).equals(String.valueOf(((SiteMapURL) other).url)); }
	public int hashCode() { return String.valueOf(url).hashCode(); }
}
// ==== crawlercommons/sitemaps/SiteMapParser.java
package crawlercommons.sitemaps;
import crawlercommons.filters.URLFilter;
import java.net.URL;
import java.util.Map;
import java.util.function.Consumer;
public class SiteMapParser {
	static final int PARTIAL = 5;
	final boolean partial;
	URLFilter filter;

	public SiteMapParser() { this(true); }
	public SiteMapParser(boolean strict) { this(strict, false); }
	public SiteMapParser(boolean strict, boolean partial) { this.partial = partial; }
	public void setStrictNamespace(boolean strict) {}
	public void setAllowDocTypeDefinitions(boolean allow) {}
	public void setURLFilter(URLFilter filter) { this.filter = filter; }
	public static boolean urlIsValid(String base, String url) { throw new UnsupportedOperationException("addresses are not compared"); }
	/** The type of the content is not used. */
	public AbstractSiteMap parseSiteMap(String type, byte[] content, URL url) throws UnknownFormatException { return parseSiteMap(content, url); }
	public AbstractSiteMap parseSiteMap(byte[] content, URL url) throws UnknownFormatException {
		suite.Entries entries = new suite.Entries(content);
		if (entries.list.isEmpty() || entries.status == PARTIAL && !partial)
			throw new UnknownFormatException("status " + entries.status);
		SiteMap sitemap = new SiteMap(url.toString());
		SiteMapIndex index = new SiteMapIndex();
		for (Map<String, String> entry : entries.list) {
			if (filter != null)
				entry.put("loc", filter.filter(entry.get("loc")));
			if (entry.get("kind").equals("sitemap")) {
				SiteMap member = new SiteMap(entry.get("loc"));
				member.date = AbstractSiteMap.makeDate(entry.get("lastmod"));
				index.addSitemap(member);
			} else {
				sitemap.urls.add(new SiteMapURL(entry));
			}
		}
		AbstractSiteMap result = index.sitemaps.isEmpty() ? sitemap : index;
		result.url = url;
		result.processed = true;
		return result;
	}
	public void walkSiteMap(AbstractSiteMap sitemap, Consumer<SiteMapURL> action) { ((SiteMap) sitemap).urls.forEach(action); }
}
