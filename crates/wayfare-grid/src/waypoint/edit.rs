//! Edits of a graph while the program runs.

use wayfare_core::inside::Adjacency;

use super::graph::{Status, WaypointGraph};
use super::parts::{Waypoint, WaypointFault, WaypointId, WaypointLink, WaypointLinkFault};

impl WaypointGraph {
    /// Adds a waypoint without links. O(log n).
    ///
    /// # Errors
    /// Its fault. The graph is then unchanged.
    pub fn add_waypoint(&mut self, waypoint: Waypoint) -> Result<WaypointId, WaypointFault> {
        for other in &self.others {
            other.own_cost_of(waypoint.cost)?;
        }
        let copies = vec![waypoint.clone(); self.others.len()];
        let id = self.add_here(waypoint)?;
        for (other, copy) in self.others.iter_mut().zip(copies) {
            other.add_here(copy)?;
        }
        self.revision = self.revision.next();
        self.tell_revision();
        Ok(id)
    }

    fn add_here(&mut self, waypoint: Waypoint) -> Result<WaypointId, WaypointFault> {
        let own_cost = self.own_cost_of(waypoint.cost)?;
        let blocked = waypoint.blocked;
        let id = self.take_in(waypoint)?;
        self.own_costs.push(own_cost);
        self.links.push_waypoint();
        self.index.insert(self.positions[id.0 as usize], id);
        if !blocked {
            self.components.insert(id.0, []);
        }
        Ok(id)
    }

    /// Removes a waypoint and its links. Its id is never reused. O(links of the waypoint), and the
    /// smaller part where it held the graph together.
    ///
    /// # Errors
    /// [`WaypointFault::Missing`] if there is no such waypoint.
    pub fn remove_waypoint(&mut self, id: WaypointId) -> Result<(), WaypointFault> {
        self.live(id)?;
        self.remove_here(id);
        self.others.iter_mut().for_each(|other| other.remove_here(id));
        self.revision = self.revision.next();
        self.tell_revision();
        Ok(())
    }

    fn remove_here(&mut self, id: WaypointId) {
        self.close(id);
        let targets: Vec<u32> = self.links.records.get(id.0).iter().map(|r| r.target).collect();
        let sources = self.links.sources.get(id.0).to_vec();
        for target in targets {
            self.links.remove(id.0, target);
        }
        for source in sources {
            self.links.remove(source, id.0);
        }
        self.status[id.0 as usize] = Status::Removed;
        self.names.remove(&id);
        self.index.remove(self.positions[id.0 as usize], id);
        self.covered.retain(|ends, _| ends.0 != id && ends.1 != id);
    }

    /// Blocks a waypoint, or frees it again, for all profiles. Its links stay.
    ///
    /// # Errors
    /// [`WaypointFault::Missing`] if there is no such waypoint.
    pub fn set_blocked(&mut self, id: WaypointId, blocked: bool) -> Result<(), WaypointFault> {
        let mut changed = self.block_here(id, blocked)?;
        for other in &mut self.others {
            changed |= other.block_here(id, blocked)?;
        }
        if changed {
            self.revision = self.revision.next();
            self.tell_revision();
        }
        Ok(())
    }

    /// Blocks or frees a waypoint for this profile. Says whether that changed it.
    pub(super) fn block_here(
        &mut self,
        id: WaypointId,
        blocked: bool,
    ) -> Result<bool, WaypointFault> {
        match (self.live(id)?, blocked) {
            (Status::Free, true) => {
                self.close(id);
                self.status[id.0 as usize] = Status::Blocked;
            }
            (Status::Blocked, false) => {
                self.status[id.0 as usize] = Status::Free;
                self.open(id);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Changes the own cost of a waypoint, in world units of length, for all profiles.
    ///
    /// # Errors
    /// The fault of the cost, or that the waypoint does not exist. A cost more negative than the
    /// graph was shifted for needs a new graph.
    pub fn set_cost(&mut self, id: WaypointId, cost: f32) -> Result<(), WaypointFault> {
        self.live(id)?;
        for graph in self.views() {
            graph.own_cost_of(cost)?;
        }
        self.price_here(id, cost)?;
        for other in &mut self.others {
            other.price_here(id, cost)?;
        }
        self.revision = self.revision.next();
        self.tell_revision();
        Ok(())
    }

    fn price_here(&mut self, id: WaypointId, cost: f32) -> Result<(), WaypointFault> {
        self.own_costs[id.0 as usize] = self.own_cost_of(cost)?;
        self.given_costs[id.0 as usize] = cost;
        let sources: Vec<u32> = self.links.back.get(id.0).iter().map(|hop| hop.other).collect();
        for source in sources {
            self.refresh(source, id.0);
        }
        Ok(())
    }

    /// Adds a link. It replaces an earlier link from and to the same waypoints.
    ///
    /// # Errors
    /// Its fault. The graph is then unchanged.
    pub fn add_link(&mut self, link: WaypointLink) -> Result<(), WaypointLinkFault> {
        self.join_here(link)?;
        for other in &mut self.others {
            other.join_here(link)?;
            other.forget_covered(link.from, link.to);
        }
        self.revision = self.revision.next();
        self.tell_revision();
        Ok(())
    }

    fn forget_covered(&mut self, from: WaypointId, to: WaypointId) {
        self.covered.remove(&(from, to));
        self.covered.remove(&(to, from));
    }

    /// Adds a link for this profile.
    pub(super) fn join_here(&mut self, link: WaypointLink) -> Result<(), WaypointLinkFault> {
        self.check_link(&link)?;
        for (from, record) in Self::directions(&link) {
            self.links.set_record(from, record);
            self.refresh(from, record.target);
        }
        self.components.join(link.from.0, link.to.0);
        Ok(())
    }

    /// Removes the link from one waypoint to another, not the one back. Returns whether there was
    /// one.
    pub fn remove_link(&mut self, from: WaypointId, to: WaypointId) -> bool {
        let mut changed = self.part_here(from, to);
        for other in &mut self.others {
            changed |= other.part_here(from, to);
        }
        if changed {
            self.revision = self.revision.next();
            self.tell_revision();
        }
        changed
    }

    fn part_here(&mut self, from: WaypointId, to: WaypointId) -> bool {
        if self.live(from).is_err() || self.live(to).is_err() || !self.links.remove(from.0, to.0) {
            return false;
        }
        if !self.links.are_joined(from.0, to.0) {
            self.components.split(&[from.0, to.0], &self.links);
        }
        true
    }

    /// Raises the estimates again after links that were cheap for their length were removed.
    /// O(links).
    ///
    /// Until then they stay as low as the links required: valid, but searches expand more.
    pub fn tighten_estimates(&mut self) {
        self.tighten_here();
        self.others.iter_mut().for_each(Self::tighten_here);
        self.revision = self.revision.next();
        self.tell_revision();
    }

    fn tighten_here(&mut self) {
        let ratios = self.links.records.iter().map(|(from, record)| self.price(from, record).1);
        self.ratio = ratios.fold(1.0, f64::min);
    }

    /// Opens a link to searches at its present cost, if both ends are free.
    fn refresh(&mut self, from: u32, to: u32) {
        let Some(record) = self.links.record(from, to).copied() else { return };
        let (cost, ratio) = self.price(from, &record);
        self.ratio = self.ratio.min(ratio);
        if [from, to].iter().all(|&end| self.status[end as usize] == Status::Free) {
            self.links.open(from, to, cost, record.action);
        }
    }

    /// Hides a waypoint and its links from searches.
    fn close(&mut self, id: WaypointId) {
        let mut neighbours = Vec::new();
        self.links.neighbours(id.0, |next| neighbours.push(next));
        for &next in &neighbours {
            self.links.close(id.0, next);
            self.links.close(next, id.0);
        }
        self.components.remove(id.0, &neighbours, &self.links);
    }

    /// Shows a waypoint and its links to searches.
    fn open(&mut self, id: WaypointId) {
        let targets: Vec<u32> = self.links.records.get(id.0).iter().map(|r| r.target).collect();
        let sources = self.links.sources.get(id.0).to_vec();
        for target in targets {
            self.refresh(id.0, target);
        }
        for source in sources {
            self.refresh(source, id.0);
        }
        let mut neighbours = Vec::new();
        self.links.neighbours(id.0, |next| neighbours.push(next));
        self.components.insert(id.0, neighbours);
    }
}
