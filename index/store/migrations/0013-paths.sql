-- SPDX-License-Identifier: GPL-3.0-or-later
-- Paths of URLs take less room (index/store/web-path.h). When each host may be asked again stays as it is.
UPDATE web_url SET path = web_path_pack(path);
